// recorded: states=21 transitions=37 verdict=none errors=0
mtype = { red, green, blue };
mtype colour = green;
chan c0 = [1] of { mtype };
active [2] proctype P0() {
  L0: skip;
  c0!red;
  atomic {
    c0!green
  }
}
active proctype P1() {
  byte x = 1;
  L0: x = (x - 1) % 3;
  goto L0;
  skip
}
active proctype P2() priority 2 {
  byte x = 1;
  L0: colour = green;
  goto L1;
  L1: x = (x == 1 -> x : x) % 3;
  colour = red;
  c0!red
}
