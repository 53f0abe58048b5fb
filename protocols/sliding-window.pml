/* A sliding window with selective repeat: only what was lost is sent again.
 *
 * N. V. Stenning, A data transfer protocol, 1976.
 *
 * Both sides have a window of WINDOW messages. The sender repeats any message of its window that
 * is not acknowledged, in any order; the receiver keeps messages that arrive too early and
 * delivers them when the gap is filled. Each message is acknowledged by its own number.
 *
 * Sequence numbers run modulo NUMBERS, at least twice the window; with one less, a repetition
 * can be mistaken for a new message. Messages carry their count modulo CONTENTS, a bigger number,
 * so that such a mistake would be seen.
 *
 * expect: safety holds states=501658 transitions=1915428
 */
#define WINDOW 2
#define NUMBERS 4
#define CONTENTS 8              /* a multiple of NUMBERS, greater than it */
#define DIFFERENCE(a, b, modulus) ((a + modulus - b) % modulus)

chan forward = [3] of { byte, byte };   /* sequence number, contents */
chan back = [3] of { byte };            /* the sequence number that arrived */

active proctype Sender() {
    byte base;                  /* the oldest message without acknowledgement, modulo CONTENTS */
    bool done[WINDOW];          /* acknowledged; entry 0 is about the message `base` */
    byte number;
    do
    :: !done[0] -> forward!base % NUMBERS, base
    :: !done[1] -> forward!(base + 1) % NUMBERS, (base + 1) % CONTENTS
    :: back?number ->
        d_step {
            number = DIFFERENCE(number, base, NUMBERS);
            if
            :: number < WINDOW -> done[number] = true
            :: else             /* an old acknowledgement */
            fi;
            number = 0
        }
    :: atomic {
            done[0] ->          /* the window slides */
            base = (base + 1) % CONTENTS;
            done[0] = done[1];
            done[1] = false
        }
    od
}

active proctype Receiver() {
    byte base;                  /* the next message to deliver, modulo CONTENTS */
    bool early;                 /* the one after it is here already … */
    byte early_contents;        /* … with these contents */
    byte number, contents;
    do
    :: forward?number, contents ->
        back!number;
        d_step {
            if
            :: DIFFERENCE(number, base, NUMBERS) == 0 ->
                assert(contents == base);
                base = (base + 1) % CONTENTS;
                if
                :: early ->
                    assert(early_contents == base);
                    base = (base + 1) % CONTENTS;
                    early = false;
                    early_contents = 0
                :: else
                fi
            :: DIFFERENCE(number, base, NUMBERS) == 1 ->
                early = true;
                early_contents = contents
            :: else             /* a repetition */
            fi;
            number = 0;
            contents = 0
        }
    od
}

/* What is under way may be lost. */
active proctype Thief() {
    do
    :: forward?_, _
    :: back?_
    od
}
