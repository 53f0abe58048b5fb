/* A broken alternating bit protocol: the receiver does not look at the bit.
 *
 * Compare with alternating-bit.pml. When an acknowledgement is lost or late, the sender repeats
 * its message, and a receiver that does not compare the bit delivers it twice.
 *
 * expect: safety violated assertion states=5696 transitions=13984
 * expect: deadlock holds
 */
#define MODULUS 4               /* messages are numbered modulo 4 */

mtype = { data, ack };

chan forward = [2] of { mtype, byte, bit };
chan back = [2] of { mtype, bit };

active proctype Sender() {
    byte message;
    bit current, answer;
    do
    :: forward!data(message, current)
    :: forward?data(_, _)       /* the channel loses a message */
    :: back?ack(answer) ->
        if
        :: answer == current ->
            current = 1 - current;
            message = (message + 1) % MODULUS
        :: else
        fi
    od
}

active proctype Receiver() {
    byte message, expected;
    bit got;
    do
    :: forward?data(message, got) ->
        /* Here the bit should be compared with the one that is wanted. */
        assert(message == expected);
        expected = (expected + 1) % MODULUS;
        back!ack(got)
    :: back?ack(_)              /* the channel loses an acknowledgement */
    od
}
