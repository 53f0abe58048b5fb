/* Go-back-N: a window of messages is under way, and after a loss all of them are sent again.
 *
 * The sender may have up to WINDOW messages without acknowledgement. The receiver takes messages
 * in order only and acknowledges each with the number it waits for next. At any moment it likes
 * (a timer of unknown length) the sender goes back to the oldest message without acknowledgement.
 *
 * Sequence numbers run modulo NUMBERS, which must be greater than WINDOW; go-back-n-narrow.pml
 * shows what happens if it is not. To tell a message from one that only has the same number, it
 * carries its contents: the count of the message modulo CONTENTS, a bigger number.
 *
 * expect: safety holds states=112320 transitions=383784
 * expect: progress violated
 */
#define WINDOW 2
#define NUMBERS 3
#define CONTENTS 6              /* a multiple of NUMBERS */

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
progress_delivered:
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
