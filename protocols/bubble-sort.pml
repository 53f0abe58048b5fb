/* Sorting in one step: `d_step`, `for`, `select` and an array.
 *
 * `select` fills the array with any values; the sort is deterministic, so that a `d_step` makes it
 * one transition with no states between. Each possible input is tried.
 *
 * expect: safety holds states=2074 transitions=2294
 */
#define LENGTH 4
#define GREATEST 3

byte numbers[LENGTH];

active proctype Sorter() {
    byte i, j, swap, value;
    for (i : 0 .. LENGTH - 1) {
        select (value : 0 .. GREATEST);
        numbers[i] = value
    }
    skip;                       /* the end of a loop must not jump into a d_step */
    d_step {
        value = 0;
        for (i : 1 .. LENGTH - 1) {
            for (j : 0 .. LENGTH - 1 - i) {
                if
                :: numbers[j] > numbers[j + 1] ->
                    swap = numbers[j];
                    numbers[j] = numbers[j + 1];
                    numbers[j + 1] = swap
                :: else
                fi
            }
        }
        i = 0;
        j = 0;
        swap = 0
    }
    for (i : 0 .. LENGTH - 2) {
        assert(numbers[i] <= numbers[i + 1])
    }
}
