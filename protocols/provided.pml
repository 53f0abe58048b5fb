/* `provided`: a process that may move only while a condition is true.
 *
 * A traffic light at a road under repair. The cars of each side move only while their side has
 * green, whatever statement they are at; so nobody needs to test the light. The light changes
 * only when the road is empty.
 *
 * expect: safety holds states=18 transitions=38
 * expect: ltl:one_way holds
 */
mtype = { east, west };

mtype green = east;
byte eastbound, westbound;      /* cars on the narrow road */

active [2] proctype Eastbound() provided (green == east) {
    do
    :: eastbound++;
        assert(westbound == 0);
        eastbound--
    od
}

active [2] proctype Westbound() provided (green == west) {
    do
    :: westbound++;
        assert(eastbound == 0);
        westbound--
    od
}

active proctype Light() {
    do
    :: atomic { eastbound == 0 && green == east -> green = west }
    :: atomic { westbound == 0 && green == west -> green = east }
    od
}

ltl one_way { [] (eastbound == 0 || westbound == 0) }
