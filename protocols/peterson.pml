/* Peterson's algorithm: two processes take turns in a critical section, with shared variables only.
 *
 * G. L. Peterson, Myths about the mutual exclusion problem, 1981.
 *
 * `enters` holds under weak fairness only: without it, a process that wants to enter may never be
 * given a step.
 *
 * expect: safety holds states=38 transitions=64
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
        turn = other;
        (!wants[other] || turn == _pid);
        inside++;
critical:
        assert(inside == 1);
        inside--;
        wants[_pid] = false
    od
}

ltl excludes { [] (inside <= 1) }
ltl enters { [] (wants[0] -> <> P[0]@critical) }
