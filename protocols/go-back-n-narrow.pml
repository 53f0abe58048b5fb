/* A broken go-back-N: as many sequence numbers as messages in the window.
 *
 * With two numbers and a window of two, the receiver cannot tell a new message from an old one
 * that is sent again: if both acknowledgements are lost, it takes the repetition for the next two
 * messages. go-back-n.pml has one number more.
 *
 * The sender may have up to WINDOW messages without acknowledgement. The receiver takes messages
 * in order only and acknowledges each with the number it waits for next. At any moment it likes
 * (a timer of unknown length) the sender goes back to the oldest message without acknowledgement.
 *
 * Sequence numbers run modulo NUMBERS, which should be greater than WINDOW. To tell a message from
 * one that only has the same number, it carries its contents: the count of the message modulo
 * CONTENTS, a bigger number.
 *
 * expect: safety violated assertion states=177384 transitions=616864
 */
#define WINDOW 2
#define NUMBERS 2
#define CONTENTS 4              /* a multiple of NUMBERS */

chan forward = [2] of { byte, byte };   /* sequence number, contents */
chan back = [2] of { byte };            /* sequence number wanted next */

active proctype Sender() {
    byte base;                  /* the oldest message without acknowledgement, modulo CONTENTS */
    byte pending;               /* how many are sent and not acknowledged */
    byte wanted;
    byte acknowledged;
    do
    :: pending < WINDOW ->
        forward!(base + pending) % NUMBERS, (base + pending) % CONTENTS;
        pending++
    :: back?wanted ->
        /* So many messages does this acknowledgement confirm. */
        acknowledged = (wanted + CONTENTS - base) % NUMBERS;
        if
        :: acknowledged <= pending ->
            base = (base + acknowledged) % CONTENTS;
            pending = pending - acknowledged
        :: else                 /* an old acknowledgement */
        fi;
        acknowledged = 0;
        wanted = 0
    :: pending > 0 -> pending = 0   /* go back */
    od
}

active proctype Receiver() {
    byte number, contents;
    byte expected;              /* modulo CONTENTS */
    do
    :: forward?number, contents ->
        if
        :: number == expected % NUMBERS ->
            assert(contents == expected);
            expected = (expected + 1) % CONTENTS
        :: else
        fi;
        number = 0;
        contents = 0;
        back!expected % NUMBERS
    od
}

/* What is under way may be lost. */
active proctype Thief() {
    do
    :: forward?_, _
    :: back?_
    od
}
