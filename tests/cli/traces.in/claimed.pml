/* A deadlock in a model with a formula: SPIN's verifier has the claim as process 0. */
byte x;
active proctype P() {
    x = 1;
    x == 2
}
ltl small { [] (x < 5) }
