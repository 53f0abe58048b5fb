/* A producer that outruns its consumer: messages are dropped when the buffer is full.
 *
 * There is no flow control. The interface between the two has room for SLOTS items; one that
 * arrives when it is full is lost (`full` in `Interface`). The consumer notices the
 * gap in the numbers. producer-consumer-credit.pml shows the remedy.
 *
 * expect: safety violated assertion states=55041 transitions=125255
 */
#define SLOTS 3
#define NUMBERS 4               /* items are numbered modulo 4 */

chan wire = [0] of { byte };
chan buffer = [SLOTS] of { byte };

active proctype Producer() {
    byte item;
    do
    :: wire!item;
        item = (item + 1) % NUMBERS
    od
}

active proctype Interface() {
    byte item;
    do
    :: wire?item ->
        if
        :: full(buffer)         /* no room: the item is dropped */
        :: nfull(buffer) -> buffer!item
        fi
    od
}

active proctype Consumer() {
    byte item, expected;
    do
    :: buffer?item ->
        assert(item == expected);
        expected = (item + 1) % NUMBERS
    od
}
