/* An elevator: it serves all calls in its direction before it turns.
 *
 * The rule that disk drives use too (SCAN). A person at each floor presses the button, waits for
 * the open door, and later presses it again. The elevator moves on as long as there is a call
 * ahead, turns when all calls are behind, and rests when there are none.
 *
 * Looked at: it never moves with an open door, and each call is answered. Nobody can keep it at
 * one floor, because it goes on after it has served a floor once. This needs no fairness: a person
 * who has called waits, so that in the end only the elevator can move.
 *
 * expect: safety holds states=3670 transitions=12416
 * expect: ltl:door_closed holds
 * expect: ltl:answered holds
 */
#define FLOORS 4

bool called[FLOORS];
bool open[FLOORS];
bool moving;
byte floor;
bool up = true;

#define CALL_ABOVE \
    ((floor < 1 && called[1]) || (floor < 2 && called[2]) || (floor < 3 && called[3]))
#define CALL_BELOW \
    ((floor > 0 && called[0]) || (floor > 1 && called[1]) || (floor > 2 && called[2]))

active [FLOORS] proctype Person() {
    do
    :: called[_pid] = true;
        !called[_pid]
    od
}

active proctype Elevator() {
    do
    :: called[floor] ->
        open[floor] = true;
        called[floor] = false;
        open[floor] = false;
        goto leave
    :: !called[floor] && (CALL_ABOVE || CALL_BELOW) ->
leave:
        if
        :: up && CALL_ABOVE
        :: up && !CALL_ABOVE && CALL_BELOW -> up = false
        :: !up && CALL_BELOW
        :: !up && !CALL_BELOW && CALL_ABOVE -> up = true
        :: !CALL_ABOVE && !CALL_BELOW -> goto rest
        fi;
        moving = true;
        assert(up -> floor < FLOORS - 1 : floor > 0);
        floor = (up -> floor + 1 : floor - 1);
        moving = false;
rest:
        skip
    od
}

ltl door_closed { [] (moving -> !(open[0] || open[1] || open[2] || open[3])) }
ltl answered { [] (called[3] -> <> open[3]) }
