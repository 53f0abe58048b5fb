// recorded: states=1734 transitions=6697 verdict=invalid end state errors=14
mtype = { red, green, blue };
short s = -1;
byte g;
chan c0 = [0] of { byte };
proctype Child(byte v; chan q) {
  chan own = [1] of { mtype, byte };
  L0: g = 2;
  v <= 2;
  q?s
}
active proctype P0() {
  L0: s = 0;
  do
  ::
    s > 1;
    s = 1 % 3
  ::
    (1 == g || g >= 0);
    atomic {
      select (g : 0 .. 2)
    }
  ::
    else
  ::
    !(g > 1);
    break
  od;
  L1: g = 0;
  d_step {
    !(0 <= g)
  }
}
active proctype P1() {
  L0: s = !g % 3;
  do
  ::
    c0?0;
    c0!(s + g) % 3;
    printf("here\n")
  ::
    s = (s + 1) % 3
  ::
    break
  od
}
active [2] proctype P2() {
  L0: g = 0 % 3;
  skip;
  g = 2 % 3;
  c0!s % 3
}
init {
  atomic {
    _nr_pr < 4;
    run Child((s | 1), c0)
  };
  d_step {
    s != 1;
    g = 1 % 3;
    g = (g + 1) % 3
  }
}
