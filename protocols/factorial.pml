/* Recursion by processes: each asks a process of its own for the smaller result.
 *
 * `run` starts a process while the model runs and gives back its number. A process dies when it is
 * at its end and all that were started after it are dead: the numbers are given back in reverse
 * order. `_nr_pr` counts the living.
 *
 * expect: safety holds states=206 transitions=511
 * expect: ltl:finishes holds
 */
#define ARGUMENT 5

byte result;

proctype Factorial(byte n; chan reply) {
    chan own = [1] of { byte };
    byte smaller;
    pid child;
    if
    :: n <= 1 -> reply!1
    :: else ->
        child = run Factorial(n - 1, own);
        assert(child == _pid + 1);
        own?smaller;
        reply!(n * smaller)
    fi
}

init {
    chan own = [1] of { byte };
    run Factorial(ARGUMENT, own);
    own?result;
    assert(result == 120);
    _nr_pr == 1                 /* wait until all the others have died */
}

ltl finishes { <> (result == 120) }
