/* A token ring: who has the token may use the shared medium, then passes it on.
 *
 * G. Le Lann, Distributed systems: towards a formal approach, 1977.
 *
 * The token goes around over rendezvous channels. A station that wants nothing passes it at once.
 * A station that wants to send will do so, and this needs no fairness: while the token rests, the
 * other stations have little to do, so that it must move on.
 *
 * expect: safety holds states=1104 transitions=3354
 * expect: ltl:excludes holds
 * expect: ltl:sends holds
 */
#define STATIONS 4

chan link[STATIONS] = [0] of { bit };
byte sending;                   /* how many stations use the medium */
bool wants[STATIONS];

active [STATIONS] proctype Station() {
    if
    :: _pid == 0 -> goto have   /* the first station begins with the token */
    :: else
    fi;
idle:
    do
    :: !wants[_pid] -> wants[_pid] = true
    :: link[_pid]?1 -> break
    od;
have:
    if
    :: wants[_pid] ->
        sending++;
        assert(sending == 1);
        sending--;
        wants[_pid] = false
    :: else
    fi;
    link[(_pid + 1) % STATIONS]!1;
    goto idle
}

ltl excludes { [] (sending <= 1) }
ltl sends { [] (wants[2] -> <> !wants[2]) }
