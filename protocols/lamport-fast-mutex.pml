/* Lamport's fast mutual exclusion: seven steps to enter if nobody else wants to.
 *
 * L. Lamport, A fast mutual exclusion algorithm, 1987.
 *
 * `x` and `y` are gates: who finds its name still in `x` after it closed `y` has no rival and
 * enters. Otherwise it waits until all others know of the conflict, and looks whose name stayed
 * in `y`. The algorithm does not deadlock, but a process may be overtaken for ever.
 *
 * expect: safety holds states=40281 transitions=109774
 * expect: ltl:enters violated fairness=weak
 */
#define PROCESSES 3
#define NOBODY 0                /* processes are 1, 2, …, PROCESSES */

byte x, y;
bool busy[PROCESSES + 1];
byte inside;                    /* how many processes are in the critical section */

proctype P(byte self) {
    byte other;
start:
    busy[self] = true;
    x = self;
    if
    :: y != NOBODY ->
        busy[self] = false;
        y == NOBODY;
        goto start
    :: else
    fi;
    y = self;
    if
    :: x != self ->
        busy[self] = false;
        for (other : 1 .. PROCESSES) {
            !busy[other]
        }
        other = 0;
        if
        :: y != self ->
            y == NOBODY;
            goto start
        :: else
        fi
    :: else
    fi;
    inside++;
critical:
    assert(inside == 1);
    inside--;
    y = NOBODY;
    busy[self] = false;
    goto start
}

init {
    byte self;
    atomic {
        for (self : 1 .. PROCESSES) {
            run P(self)
        }
    }
}

ltl enters { [] (busy[1] -> <> P[1]@critical) }
