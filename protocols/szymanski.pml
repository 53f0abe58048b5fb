/* Szymanski's algorithm: a waiting room with two doors, first come, first served.
 *
 * B. K. Szymanski, A simple solution to Lamport's concurrent programming problem with linear wait,
 * 1988.
 *
 * Each process has one flag with five values: outside, intends to enter, waits for others in the
 * waiting room, stands in the door, has closed the entry door. The last one to come in closes the
 * entry door; then they are served in the order of their numbers.
 *
 * The looks at all flags are taken as one step each, as the first proofs of the algorithm do.
 *
 * expect: safety holds states=805 transitions=1775
 * expect: ltl:excludes holds
 */
mtype = { outside, intends, waits, in_door, closed };

#define PROCESSES 3

mtype flag[PROCESSES] = outside;
byte inside;                    /* how many processes are in the critical section */

#define ENTRY_OPEN(i) (flag[i] == outside || flag[i] == intends || flag[i] == waits)
#define ALL_OPEN (ENTRY_OPEN(0) && ENTRY_OPEN(1) && ENTRY_OPEN(2))
#define SOME(what) (flag[0] == what || flag[1] == what || flag[2] == what)

/* No process with a lower number is in the waiting room. */
#define IS_OUT(i) (flag[i] == outside || flag[i] == intends)
#define LOWEST(self) ((self <= 0 || IS_OUT(0)) && (self <= 1 || IS_OUT(1)))

/* Nobody with a higher number is still in the door. */
#define PASSED(i) (flag[i] != waits && flag[i] != in_door)
#define HIGHER_PASSED(self) ((self >= 1 || PASSED(1)) && (self >= 2 || PASSED(2)))

active [PROCESSES] proctype P() {
    do
    :: flag[_pid] = intends;
        ALL_OPEN;
        flag[_pid] = in_door;
        if
        :: SOME(intends) ->
            flag[_pid] = waits;
            SOME(closed)
        :: else
        fi;
        flag[_pid] = closed;
        LOWEST(_pid);
        inside++;
        assert(inside == 1);
        inside--;
        HIGHER_PASSED(_pid);
        flag[_pid] = outside
    od
}

ltl excludes { [] (inside <= 1) }
