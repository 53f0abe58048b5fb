/* The alternating bit protocol with its users: it gives the service of a buffer with one place.
 *
 * K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, A note on reliable full-duplex transmission
 * over half-duplex links, 1969. As alternating-bit.pml, but messages come from a user by `put` and
 * go to another by `get`, and the channels between the two sides lose messages.
 *
 * With BROKEN it is one of the classic mistakes, and no buffer any more:
 *   1  the receiver does not look at the bit, and delivers a repetition;
 *   2  the sender does not look at the bit, and takes an old acknowledgement for a new one;
 *   3  the receiver acknowledges before it delivers, so that two messages are under way;
 *   4  the sender does not repeat, and a loss is the end.
 *
 *     pverify transfer-alternating-bit.pml -D BROKEN=1 --check equivalence --against buffer.pml \
 *         --relation safety --observe 'put!_' --observe 'get!_'
 *
 * expect: safety holds states=1696 transitions=4708
 */
#ifndef BROKEN
#define BROKEN 0
#endif

chan put = [0] of { bit };
chan get = [0] of { bit };
chan forward = [1] of { bit, bit };     /* the bit, the message */
chan back = [1] of { bit };             /* the bit */

active proctype User() {
end:
    do
    :: put!0
    :: put!1
    od
}

active proctype Sender() {
    bit message, current, answer;
end:
    do
    :: put?message ->
        forward!current, message;
        do
        :: BROKEN != 4 -> forward!current, message
        :: back?answer ->
            if
            :: answer == current || BROKEN == 2 -> break
            :: else
            fi
        od;
        current = 1 - current;
        message = 0;
        answer = 0
    od
}

active proctype Receiver() {
    bit message, wanted, got;
end:
    do
    :: forward?got, message ->
        if
        :: got == wanted || BROKEN == 1 ->
            if
            :: BROKEN == 3 -> back!got; get!message
            :: else -> get!message; back!got
            fi;
            wanted = 1 - wanted
        :: else -> back!got
        fi;
        got = 0;
        message = 0
    od
}

/* What is under way may be lost. */
active proctype Thief() {
end:
    do
    :: forward?_, _
    :: back?_
    od
}

active proctype Other() {
end:
    do
    :: get?_
    od
}
