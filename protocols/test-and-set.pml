/* A lock by test-and-set: correct, but not fair.
 *
 * The hardware sets a bit and tells its former value in one step, here a `d_step`. Who finds it
 * unset has the lock. Nobody else gets in, but one process may be late every time, even if the
 * scheduler is weakly fair.
 *
 * expect: safety holds states=605 transitions=2420
 * expect: ltl:excludes holds
 * expect: ltl:enters violated fairness=weak
 */
#define PROCESSES 4

bool locked;
byte inside;                    /* how many processes are in the critical section */

inline test_and_set(former) {
    d_step {
        former = locked;
        locked = true
    }
}

active [PROCESSES] proctype P() {
    bool former;
    do
    :: test_and_set(former);
        if
        :: former               /* somebody has it: try again */
        :: else ->
            inside++;
critical:
            assert(inside == 1);
            inside--;
            locked = false
        fi
    od
}

ltl excludes { [] (inside <= 1) }
ltl enters { [] <> P[1]@critical }
