byte x;
never { do :: x < 5 od }
active [2] proctype A() { byte t; t = x; t++; x = t; assert(x == _pid + 1) }
