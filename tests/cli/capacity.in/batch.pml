chan c = [2] of { byte }; chan go = [1] of { bit };
active proctype P() { c!1; c!2; c!3; go!1 }
active proctype Q() { go?1; c?1; c?2; c?3 }
