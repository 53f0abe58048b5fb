byte x, y;
active proctype A() { do :: { do :: x < 10 -> x++ :: else -> x = 0 od } unless { y == 1 -> y = 2; assert(x != 7) } ; od }
active proctype B() { y = 1; y == 2 -> y = 1 }
