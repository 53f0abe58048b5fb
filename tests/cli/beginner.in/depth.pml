/* A counter whose mistake lies 14 steps deep. */
byte count

active proctype Counter() {
    do
    :: count < 6 -> count++
    :: count == 6 -> assert(false)
    od
}
