/* Dekker's algorithm: the first solution of mutual exclusion for two processes.
 *
 * Th. J. Dekker, reported by E. W. Dijkstra, Over de sequentialiteit van procesbeschrijvingen,
 * about 1962.
 *
 * Who sees that the other one wants to enter too, and that it is the other's turn, steps back and
 * waits. The turn changes on leaving.
 *
 * expect: safety holds states=110 transitions=190
 * expect: ltl:excludes holds
 * expect: ltl:enters violated
 * expect: ltl:enters holds fairness=weak
 */
bool wants[2];
byte turn;
byte inside;                    /* how many processes are in the critical section */

active [2] proctype P() {
    byte other = 1 - _pid;
    do
    :: wants[_pid] = true;
        do
        :: !wants[other] -> break
        :: wants[other] && turn == other ->
            wants[_pid] = false;
            turn == _pid;
            wants[_pid] = true
        od;
        inside++;
critical:
        assert(inside == 1);
        inside--;
        turn = other;
        wants[_pid] = false
    od
}

ltl excludes { [] (inside <= 1) }
ltl enters { [] (wants[0] -> <> P[0]@critical) }
