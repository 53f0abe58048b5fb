/* Two processes that take turns.
 *
 * expect: safety holds states=4 transitions=4
 * expect: deadlock holds
 * expect: ltl:again holds
 * expect: ltl:again holds fairness=weak
 */

byte turn;

active proctype First() {
    do
    :: turn == 0 -> turn = 1
    od
}

active proctype Second() {
    do
    :: turn == 1 -> turn = 0
    od
}

ltl again { []<> (turn == 1) }
