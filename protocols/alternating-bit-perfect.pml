/* The alternating bit protocol over channels that lose nothing.
 *
 * The same idea as in alternating-bit.pml, but the sender sends each message once and waits for
 * its acknowledgement. With perfect channels the bit is never wrong: the assertions about it hold,
 * and each message is delivered, which is what `progress` means here.
 *
 * expect: safety holds states=96 transitions=96
 * expect: progress holds
 */
#define MODULUS 8               /* messages are numbered modulo 8 */

mtype = { data, ack };

chan forward = [1] of { mtype, byte, bit };
chan back = [1] of { mtype, bit };

active proctype Sender() {
    byte message;
    bit current, answer;
    do
    :: forward!data(message, current);
        back?ack(answer);
        assert(answer == current);
        current = 1 - current;
        message = (message + 1) % MODULUS
    od
}

active proctype Receiver() {
    byte message, expected;
    bit wanted, got;
    do
    :: forward?data(message, got);
        assert(got == wanted);
progress_delivered:
        assert(message == expected);
        expected = (expected + 1) % MODULUS;
        wanted = 1 - wanted;
        back!ack(got)
    od
}
