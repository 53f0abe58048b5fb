/* A sliding window with its users: it gives the service of a buffer with as many places.
 *
 * Go-back-N, as go-back-n.pml, with a window of WINDOW messages, one to four; messages come from a user
 * by `put` and go to another by `get`. Sequence numbers run modulo NUMBERS, at least one more than the
 * window: with -D NUMBERS=2 a repetition is mistaken for a new message, and it is no buffer any more.
 *
 *     pverify transfer-go-back-n.pml --check equivalence --against buffer.pml -D PLACES=2 \
 *         --relation safety --observe 'put!_' --observe 'get!_'
 *
 * expect: safety holds states=23892 transitions=75048
 */
#ifndef WINDOW
#define WINDOW 2                /* messages without acknowledgement */
#endif
#ifndef NUMBERS
#define NUMBERS (WINDOW + 1)
#endif
#ifndef CAPACITY
#define CAPACITY 1              /* messages under way in each direction */
#endif

chan put = [0] of { bit };
chan get = [0] of { bit };
chan forward = [CAPACITY] of { byte, bit }; /* sequence number, message */
chan back = [CAPACITY] of { byte };     /* the number that is wanted next */

active proctype User() {
end:
    do
    :: put!0
    :: put!1
    od
}

active proctype Sender() {
    bit message[WINDOW];        /* those without acknowledgement, the oldest first */
    byte base, count, number, place;
end:
    do
    :: count < WINDOW -> put?message[count]; count++
    :: count > 0 -> forward!base, message[0]
#if WINDOW > 1
    :: count > 1 -> forward!(base + 1) % NUMBERS, message[1]
#endif
#if WINDOW > 2
    :: count > 2 -> forward!(base + 2) % NUMBERS, message[2]
#endif
#if WINDOW > 3
    :: count > 3 -> forward!(base + 3) % NUMBERS, message[3]
#endif
    :: back?number ->
        d_step {
            if
            :: (number + NUMBERS - base) % NUMBERS <= count ->
                do
                :: number != base ->
                    place = 0;
                    do
                    :: place + 1 < WINDOW ->
                        message[place] = message[place + 1];
                        place++
                    :: else -> break
                    od;
                    message[WINDOW - 1] = 0;
                    place = 0;
                    count = count - 1;
                    base = (base + 1) % NUMBERS
                :: else -> break
                od
            :: else             /* an old acknowledgement */
            fi;
            number = 0
        }
    od
}

active proctype Receiver() {
    byte wanted, number;
    bit message;
end:
    do
    :: forward?number, message ->
        if
        :: number == wanted ->
            get!message;
            wanted = (wanted + 1) % NUMBERS
        :: else
        fi;
        back!wanted;
        number = 0;
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
