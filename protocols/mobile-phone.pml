/* Channels that travel in messages: a car phone moves from one base station to the next.
 *
 * After the example by which R. Milner, J. Parrow and D. Walker introduced the pi-calculus, 1992.
 * The centre sends the car, over the channel it talks on now, a new channel to talk on; from then
 * on the car talks with the other station.
 *
 * The assertion: the car talks to the station that is switched on. That it ever moves is not
 * certain: it may talk so much that the centre does not get through to its station.
 *
 * expect: safety holds states=89 transitions=145
 * expect: ltl:moves violated fairness=weak
 */
mtype = { talk, change };

chan radio[2] = [0] of { mtype, chan };     /* between the car and station 0 or 1 */
chan control[2] = [0] of { chan };          /* from the centre: hand the car over */
byte active_station;
bool talking;

active [2] proctype Station() {
    chan other;
end:
    do
    :: radio[_pid]?talk(other) ->
        assert(active_station == _pid);
        talking = !talking
    :: control[_pid]?other ->
        atomic {
            radio[_pid]!change(other);
            active_station = 1 - _pid
        }
    od
}

active proctype Car() {
    chan station;
    chan next_station;
    station = radio[0];
    do
    :: station!talk(station)
    :: station?change(next_station) ->
        next_station == radio[active_station];  /* the old station may need a moment */
        station = next_station
    od
}

active proctype Centre() {
    do
    :: control[0]!radio[1];
        active_station == 1;
        control[1]!radio[0];
        active_station == 0
    od
}

ltl moves { <> (active_station == 1) }
