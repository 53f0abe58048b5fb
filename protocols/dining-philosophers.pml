/* The dining philosophers, who all take the left fork first.
 *
 * E. W. Dijkstra, Hierarchical ordering of sequential processes, 1971; the philosophers are
 * C. A. R. Hoare's.
 *
 * If each has a left fork, all wait for the right one for ever: a deadlock.
 *
 * expect: safety violated deadlock states=242 transitions=805
 * expect: deadlock violated
 */
#define PHILOSOPHERS 5
#define RIGHT ((_pid + 1) % PHILOSOPHERS)

bool taken[PHILOSOPHERS];       /* fork i lies to the left of philosopher i */

active [PHILOSOPHERS] proctype Philosopher() {
    do
    :: atomic { !taken[_pid] -> taken[_pid] = true };
        atomic { !taken[RIGHT] -> taken[RIGHT] = true };
        /* eat */
        taken[_pid] = false;
        taken[RIGHT] = false
    od
}
