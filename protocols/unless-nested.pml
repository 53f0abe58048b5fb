/* Nested `unless`: an alarm and, above it, an emergency.
 *
 * A machine works until an alarm interrupts it; it then recovers and works on. While it works or
 * recovers, an emergency stops it for good. As soon as an escape is executable, the statements it
 * guards no longer are. With both signals up the outer escape goes first, as the assertion says.
 *
 * expect: safety holds states=176 transitions=264
 * expect: ltl:stops holds
 */
bool alarm, emergency;
bool stopped, recovering;
byte steps;

active proctype Machine() {
    {
        do
        :: {
                do
                :: steps = (steps + 1) % 4
                od
            } unless {
                atomic { alarm -> assert(!emergency); recovering = true }
            };
            alarm = false;
            recovering = false
        od
    } unless {
        emergency -> stopped = true
    }
}

active proctype Operator() {
    do
    :: !alarm -> alarm = true
    :: emergency = true; break
    od
}

ltl stops { [] (emergency -> <> stopped) }
