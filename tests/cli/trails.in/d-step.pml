byte x; chan c = [2] of {byte};
active proctype A() { d_step { x = 1; do :: x < 5 -> x++ :: else -> break od; assert(x == 4) } }
