/* Two-phase commit with a coordinator that crashes and forgets its decision.
 *
 * As two-phase-commit.pml, but the coordinator may crash after it told some participants and
 * before it told the others. It has not written its decision to a log; when it comes back it
 * cannot know whether it had decided at all, and aborts. Now one site has committed and another
 * aborts: the reason for the log in the real protocol.
 *
 * expect: safety holds states=192 transitions=338
 * expect: ltl:agreement violated
 * expect: ltl:decision holds
 */
#define SITES 2

mtype = { undecided, yes, no, commit, abort };

chan to_site[SITES] = [1] of { mtype };
chan to_coordinator = [SITES] of { mtype };
mtype decided[SITES] = undecided;

active proctype Coordinator() {
    byte site;
    byte votes;
    mtype vote;
    mtype decision = commit;
    do
    :: votes < SITES ->
        to_coordinator?vote;
        votes++;
        if
        :: vote == no -> decision = abort
        :: else
        fi
    :: votes == SITES -> break
    od;
    for (site : 0 .. SITES - 1) {
        if
        :: true
        :: decision = abort     /* a crash: what was the decision? */
        fi;
        to_site[site]!decision
    }
}

active [SITES] proctype Participant() {
    byte self = _pid - 1;       /* the coordinator is process 0 */
    if
    :: to_coordinator!yes
    :: to_coordinator!no
    fi;
    to_site[self]?decided[self]
}

#define SOME(what) (decided[0] == what || decided[1] == what)

ltl agreement { [] !(SOME(commit) && SOME(abort)) }
ltl decision { <> (!SOME(undecided)) }
