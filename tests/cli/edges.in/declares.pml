/* A counter with a formula and a label for it. */
byte x;

active proctype Counter() {
    do
    :: x < 3 -> x++
    :: x == 3 ->
accept_full:
        x = 0
    od
}

ltl rises { [] (x <= 3) }
