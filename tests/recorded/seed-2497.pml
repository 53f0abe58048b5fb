// recorded: states=18 transitions=39 verdict=none errors=0
mtype = { red, green, blue };
byte g;
mtype colour = green;
bool flag;
chan c0 = [0] of { mtype, byte };
chan c1 = [1] of { bit, byte };
active proctype P0() {
  byte x = 0;
  L0: colour = colour;
  end0: c1?flag,0;
  c1??_,g;
  L1: g = (g + 1) % 3;
  skip
}
active proctype P1() {
  byte x = 1;
  L0: g = (g + 1) % 3;
  for (g : 0 .. 1) {
    goto L0
  }
}
active proctype P2() {
  L0: flag = (flag + 1) % 2;
  {
    c0!colour,2 % 3
  } unless {
    (g <= 2 || nfull(c1));
    c1?[2,1]
  };
  d_step {
    flag <= 2
  };
  d_step {
    assert(flag <= 2)
  }
}
