byte x; chan c = [0] of { byte };
ltl p { [] (x < 5) }
active proctype A() { x = 1; run D(); c!x; c!2 }
proctype D() { byte y; c?y }
ltl q { <> (x == 5) }
