chan a = [1] of {bit}; chan b = [1] of {bit};
active proctype P() { bit x; atomic { a!1; b?x } ; a!0 }
active proctype Q() { bit x; b!1; a?x; a?x; b?x }
