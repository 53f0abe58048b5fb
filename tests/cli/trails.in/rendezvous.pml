mtype = {a,b}; chan c = [0] of {mtype, byte};
active proctype A() { byte n; do :: n < 3 -> c!a(n); n++ :: else -> c!b(n); break od }
active proctype B() { byte m; do :: c?a(m) :: c?b(m) -> assert(m == 0) od }
