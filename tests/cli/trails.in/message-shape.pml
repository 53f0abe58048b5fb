chan c = [2] of {byte, byte};
proctype Q(chan d) { d!1 }
init { run Q(c) }
