/* `trace`: which sequences of messages are right.
 *
 * A trace assertion is an automaton that watches the named channels: each send on `line` must be
 * one that the automaton can make now. Here a call is dialled, answered and hung up, in this
 * order, again and again. Receives are not watched, since the trace names none.
 *
 * expect: safety holds states=10 transitions=12
 */
mtype = { dial, answer, hang_up };

chan line = [1] of { mtype };
bool ringing, talking;

active proctype Caller() {
    do
    :: atomic { !ringing && !talking && empty(line) -> line!dial; ringing = true };
        talking;
        atomic { empty(line) -> line!hang_up; talking = false }
    od
}

active proctype Callee() {
    do
    :: line?dial -> atomic { empty(line) -> line!answer };
        atomic { ringing -> ringing = false; talking = true }
    od
}

active proctype Exchange() {
    do
    :: line?answer
    :: line?hang_up
    od
}

trace {
idle:
    line!dial;
    line!answer;
    line!hang_up;
    goto idle
}
