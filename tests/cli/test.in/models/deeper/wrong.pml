/* A process that divides by zero, and waits for ever.
 *
 * expect: safety violated division-by-zero deadlock
 * expect: deadlock holds
 * expect: ltl:nowhere holds
 */

byte zero, one;

active proctype P() {
    if
    :: one = 1 / zero
    :: one == 1
    :: zero == 1
    :: skip -> zero == 1
    fi
}
