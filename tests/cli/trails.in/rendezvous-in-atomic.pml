chan c = [0] of {byte}; chan d = [0] of {byte}; byte t;
active proctype A() { atomic { t++; c!1; t++; d!2; t++ } assert(t < 5) }
active proctype B() { byte v; atomic { c?v; t = t + v; d?v; t = t + v } }
