byte n; chan done = [0] of {byte};
proctype W(byte k) { n = n + k; if :: k > 1 -> run W(k-1) :: else fi; done!k }
init { byte z; run W(3); done?z; done?z; done?z; assert(n == 5) }
