/* A server that answers requests of two kinds, as long as it likes. */
mtype = { small, large };
mtype asked = 0;
bool answered;

active proctype Server() {
    do
    :: asked = small; answered = true; asked = 0; answered = false
    :: asked = large; answered = true; asked = 0; answered = false
    od
}

ltl small_again { []<> (asked == small) }
ltl answers { [] ((asked != 0) -> <> answered) }
ltl settles { <>[] (asked == 0) }
