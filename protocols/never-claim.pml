/* A never claim written by hand: a request that is never granted.
 *
 * A claim is a process that moves together with the model and describes the runs that must not
 * happen: here, some time there is a request, and from then on no grant, for ever (the label
 * `accept` is passed infinitely often). The arbiter below grants to either side as it likes,
 * and side 0 may wait for ever: the claim is violated.
 *
 * `ltl` says the same as `[] (request[0] -> <> granted[0])`.
 *
 * expect: safety holds states=39 transitions=68
 * expect: never violated
 * expect: never violated fairness=weak
 */
bool request[2];
bool granted[2];

active [2] proctype Side() {
    do
    :: request[_pid] = true;
        granted[_pid];
        request[_pid] = false;
        !granted[_pid]
    od
}

active proctype Arbiter() {
    do
    :: request[0] -> granted[0] = true; !request[0]; granted[0] = false
    :: request[1] -> granted[1] = true; !request[1]; granted[1] = false
    od
}

never {
    do
    :: true
    :: request[0] && !granted[0] -> break
    od;
accept:
    do
    :: !granted[0]
    od
}
