// recorded: states=50 transitions=112 verdict=none errors=0
mtype = { red, green, blue };
mtype colour = green;
unsigned u : 2 = 1;
byte g;
chan c0 = [1] of { mtype };
proctype Child(byte v; chan q) {
  L0: u = 2 % 3;
  c0?colour;
  u = v % 3
}
active proctype P0() {
  byte x = 1;
  chan own = [0] of { byte };
  L0: u = (u - 1) % 3;
  end0: own?eval(x);
  printm(green);
  L1: u = (u + 1) % 3;
  atomic {
    _nr_pr < 3;
    assert(g != 1);
    {
      assert(g <= 0)
    } unless {
      c0?colour
    }
  }
}
active proctype P1() {
  byte x = 2;
  L0: u = 2;
  do
  ::
    g = 0 % 3;
    goto L0;
    x = 0
  ::
    else;
    c0?eval(colour)
  od;
  L1: g = (g + 1) % 3;
  select (g : 0 .. 2)
}
active [2] proctype P2() {
  byte x = 0;
  L0: g = 1;
  end0: c0??_;
  c0!colour;
  {
    colour = red
  }
}
