/* Narrow numbers: `unsigned`, `bit`, `byte` and what happens at their ends.
 *
 * A value that does not fit loses its upper bits: an `unsigned` of 3 bits goes from 7 to 0, a
 * `byte` from 255 to 0. Conditional expressions `(condition -> yes : no)` count the carries.
 * `hidden` keeps a variable that carries no information out of the state.
 *
 * expect: safety holds states=146 transitions=145
 */
unsigned digit : 3;             /* 0 .. 7 */
bit carry;
byte miles = 250;
hidden byte scratch;

active proctype Wheel() {
    byte turns;
    for (turns : 1 .. 20) {
        carry = (digit == 7 -> 1 : 0);
        digit++;
        assert(carry == (digit == 0 -> 1 : 0));
        miles++;
        scratch = turns
    }
    assert(digit == 20 % 8);
    assert(miles == (250 + 20) % 256)
}
