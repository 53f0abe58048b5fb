/* A rendezvous inside `atomic`: control passes to the receiver.
 *
 * When a process in an `atomic` block sends over a rendezvous channel, the receiver goes on if it
 * is inside an `atomic` block too, without a step of anybody else between; the sender goes on
 * atomically when it is chosen again. Here the client sets `busy` and the receiver clears it; the
 * observer never sees it set.
 *
 * expect: safety holds states=7 transitions=7
 */
chan call = [0] of { byte };
byte busy;                      /* who is at work */

active proctype Client() {
    byte number;
    do
    :: atomic {
            busy == 0 ->
            busy = 1;
            call!number;        /* now the receiver goes on */
            number = (number + 1) % 3
        }
    od
}

active proctype Receiver() {
    byte number, expected;
    do
    :: atomic {
            call?number ->
            assert(busy == 1);
            busy = 2;
            assert(number == expected);
            expected = (expected + 1) % 3;
            busy = 0
        }
    od
}

active proctype Observer() {
    do
    :: busy != 0 -> assert(busy == 0)
    od
}
