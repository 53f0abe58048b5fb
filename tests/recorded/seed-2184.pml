// recorded: states=8 transitions=16 verdict=none errors=0
mtype = { red, green, blue };
byte g;
unsigned u : 2 = 1;
chan c0 = [2] of { byte };
proctype Child(byte v; chan q) {
  byte x = 2;
  L0: skip;
  end0: q?_;
  skip;
  L1: g = u % 3;
  v = 1
}
active proctype P0() {
  L0: u = g % 3;
  goto L0;
  printf("here\n");
  {
    c0!(g + g) % 3
  } unless {
    2 == g
  };
  for (g : 0 .. 1) {
    c0??eval(u)
  }
}
active [2] proctype P1() {
  L0: g = g % 3;
  c0?2;
  do
  ::
    0 < g;
    for (g : 0 .. 1) {
      g >= 1
    };
    select (g : 0 .. 2)
  ::
    c0?g;
    break
  od
}
init {
  atomic {
    _nr_pr < 4;
    run Child((true -> u : u), c0)
  };
  g = 0
}
