chan c = [4] of {byte};
active proctype A() { byte v; c!!3; c!!1; c!!2; c??3; c??eval(v+2); c?v; assert(v == 2) }
