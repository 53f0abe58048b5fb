byte turn; byte x;
active proctype A() provided (turn == 0) { x++; turn = 1; x++; assert(x < 4) }
active proctype B() provided (turn == 1) { x++; turn = 0; x++ }
