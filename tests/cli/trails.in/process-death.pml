byte alive;
proctype C() { alive++; alive-- }
init { byte k; do :: k < 4 -> run C(); (_nr_pr == 1); k++ :: else -> break od; assert(k == 3) }
