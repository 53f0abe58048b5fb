/* 300 does not fit into a byte. */
byte limit = 300
byte count

active proctype Counter() {
    count = 300;
    count = count + 250;
    assert(count > 250)
}
