byte x;
active [2] proctype A() { atomic { x++; x++; assert(x < 3); x = 0 } }
active proctype B() { x = 1 }
