/* Flow control by credit: the producer sends only what the consumer has room for.
 *
 * The consumer grants one credit for each free slot; the producer spends one for each item. As in
 * producer-consumer.pml the interface would drop an item for which there is no room, but with
 * credit this does not happen.
 *
 * expect: safety holds states=1452 transitions=3178
 * expect: progress holds
 */
#define SLOTS 3
#define NUMBERS 16              /* items are numbered modulo 16 */

chan wire = [0] of { byte };
chan buffer = [SLOTS] of { byte };
chan credit = [SLOTS] of { bit };

active proctype Producer() {
    byte item;
    do
    :: credit?1;
        wire!item;
        item = (item + 1) % NUMBERS
    od
}

active proctype Interface() {
    byte item;
    do
    :: wire?item ->
        assert(nfull(buffer));
        buffer!item
    od
}

active proctype Consumer() {
    byte item, expected;
    for (item : 1 .. SLOTS) {
        credit!1
    }
    do
    :: buffer?item ->
progress_consumed:
        assert(item == expected);
        expected = (item + 1) % NUMBERS;
        credit!1
    od
}
