/* `timeout`: a sender that repeats only when nothing else can happen.
 *
 * `timeout` is true exactly if no other statement of any process is executable. So it stands for
 * a clock that is set well: long enough for every answer, and not a step longer. Compare with
 * alternating-bit.pml, where the sender repeats at any moment, and count the states.
 *
 * expect: safety holds states=63 transitions=76
 * expect: progress violated
 */
#define MODULUS 4               /* messages are numbered modulo 4 */

chan forward = [1] of { byte, bit };
chan back = [1] of { bit };

active proctype Sender() {
    byte message;
    bit current;
    do
    :: forward!message, current;
waiting:
        if
        :: back?eval(current) ->
            current = 1 - current;
            message = (message + 1) % MODULUS
        :: back?eval(1 - current) -> goto waiting
        :: timeout              /* lost: send it again */
        fi
    od
}

active proctype Receiver() {
    byte message, expected;
    bit wanted, got;
    do
    :: forward?message, got ->
        if
        :: got == wanted ->
progress_delivered:
            assert(message == expected);
            expected = (expected + 1) % MODULUS;
            wanted = 1 - wanted
        :: else
        fi;
        back!got
    od
}

active proctype Thief() {
    do
    :: forward?_, _
    :: back?_
    od
}
