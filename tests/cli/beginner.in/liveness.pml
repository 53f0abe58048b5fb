/* The client asks, and the server may look elsewhere for ever. SPIN's verifier reports «errors: 0»
   for this formula unless it is run with -a. */
bool asked, answered, elsewhere

active proctype Client() {
    asked = true;
    answered
}

active proctype Server() {
    do
    :: asked -> answered = true; break
    :: elsewhere = !elsewhere
    od
}

ltl gets_an_answer { [] (asked -> <> answered) }
