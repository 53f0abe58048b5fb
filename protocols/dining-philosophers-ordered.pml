/* Dining philosophers with ordered forks: no deadlock.
 *
 * E. W. Dijkstra, Hierarchical ordering of sequential processes, 1971.
 *
 * Forks have an order, and everybody takes the lower one first: the last philosopher takes the
 * right fork before the left one. So there is no circle of waiting. A single philosopher may
 * starve: weak fairness does not help one whose fork is free only now and then.
 *
 * expect: safety holds states=531441 transitions=4251528
 * expect: deadlock holds
 * expect: ltl:eats violated fairness=weak
 */
#define PHILOSOPHERS 12
#define RIGHT ((_pid + 1) % PHILOSOPHERS)

bool taken[PHILOSOPHERS];       /* fork i lies to the left of philosopher i */

active [PHILOSOPHERS] proctype Philosopher() {
    byte low = (_pid < RIGHT -> _pid : RIGHT);
    byte high = (_pid < RIGHT -> RIGHT : _pid);
    do
    :: atomic { !taken[low] -> taken[low] = true };
        atomic { !taken[high] -> taken[high] = true };
eats:
        taken[low] = false;
        taken[high] = false
    od
}

ltl eats { [] <> Philosopher[0]@eats }
