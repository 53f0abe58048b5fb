/* The alternating bit protocol: reliable transfer over channels that lose messages.
 *
 * K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, A note on reliable full-duplex transmission
 * over half-duplex links, 1969.
 *
 * The sender repeats a message until its acknowledgement carries the same bit; the receiver
 * delivers a message only if its bit is the one it waits for.
 *
 * The assertion says that what is delivered is what was sent, in order and without repetition.
 * Progress is not certain: a channel may lose for ever.
 *
 * expect: safety holds states=1306 transitions=3215
 * expect: deadlock holds
 * expect: progress violated
 */
#ifndef M
#define M 4                     /* messages are numbered modulo M */
#endif

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
            message = (message + 1) % M
        :: else
        fi
    od
}

active proctype Receiver() {
    byte message, expected;
    bit wanted, got;
    do
    :: forward?data(message, got) ->
        if
        :: got == wanted ->
progress_delivered:
            assert(message == expected);
            expected = (expected + 1) % M;
            wanted = 1 - wanted
        :: else
        fi;
        back!ack(got)
    :: back?ack(_)              /* the channel loses an acknowledgement */
    od
}
