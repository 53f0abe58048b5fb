/* `_last`: who made the last step.
 *
 * Two processes count. The claim looks for a run in which process 1 makes two steps in a row,
 * which nothing in the model forbids: it is found, and the claim violated.
 *
 * `_last` makes states different that are otherwise the same, so a model that uses it has more of
 * them, even if the claim is left out.
 *
 * expect: safety holds states=129 transitions=226
 * expect: never violated
 */
byte counted[2];

active [2] proctype Counter() {
    do
    :: counted[_pid] < 3 -> counted[_pid]++
    :: else -> break
    od
}

never {
    do
    :: true
    :: _last == 1 -> break
    od;
    _last == 1
}
