/* Two-phase commit: all sites commit a transaction, or all abort it.
 *
 * J. Gray, Notes on data base operating systems, 1978.
 *
 * The coordinator asks every participant for its vote. If all vote yes it decides to commit,
 * otherwise to abort, and tells everybody; so it does if it loses patience with a participant.
 * A participant that voted no may abort at once, one that voted yes must wait.
 *
 * No site crashes here; two-phase-commit-forgets.pml has a coordinator that does.
 *
 * expect: safety holds states=38929 transitions=126295
 * expect: ltl:agreement holds
 * expect: ltl:decision holds
 */
#define SITES 3

mtype = { undecided, yes, no, commit, abort };

chan to_site[SITES] = [1] of { mtype };
chan to_coordinator = [SITES] of { mtype };
mtype decided[SITES] = undecided;

active proctype Coordinator() {
    byte site;
    byte votes;
    mtype vote;
    mtype decision = commit;

    /* First phase: collect the votes. */
    do
    :: votes < SITES ->
        to_coordinator?vote;
        votes++;
        if
        :: vote == no -> decision = abort
        :: else
        fi
    :: votes < SITES -> decision = abort; break     /* no more patience */
    :: votes == SITES -> break
    od;

    /* Second phase: tell the decision. */
    for (site : 0 .. SITES - 1) {
        to_site[site]!decision
    }
}

active [SITES] proctype Participant() {
    byte self = _pid - 1;       /* the coordinator is process 0 */
    mtype decision;
    if
    :: to_coordinator!yes
    :: to_coordinator!no -> decided[self] = abort
    fi;
    to_site[self]?decision;
    assert(decided[self] == undecided || decided[self] == decision);
    decided[self] = decision
}

#define SOME(what) (decided[0] == what || decided[1] == what || decided[2] == what)

ltl agreement { [] !(SOME(commit) && SOME(abort)) }
ltl decision { <> (!SOME(undecided)) }
