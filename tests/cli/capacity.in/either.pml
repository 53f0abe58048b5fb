/* Both send two messages before they read: one of them must be able to. */
chan a = [2] of { bit };
chan b = [2] of { bit };

active proctype P() { a!0; a!0; b?0; b?0 }
active proctype Q() { b!0; b!0; a?0; a?0 }
