byte x;
inline bump(v) { v++; if :: v > 3 -> goto out :: else fi }
active proctype A() { again: bump(x); goto again; out: for (x : 1 .. 3) { skip }; select(x : 2 .. 5); assert(x != 4) }
