typedef R { byte a[2]; bit f }; R r[2]; chan c = [1] of { byte, R };
active proctype A() { R q; q.a[1] = 7; c!1,q; c?_,r[1]; assert(r[1].a[1] != 7) }
