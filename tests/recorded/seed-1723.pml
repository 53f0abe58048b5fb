// recorded: states=16 transitions=32 verdict=invalid end state errors=1
mtype = { red, green, blue };
unsigned u : 2 = 1;
short s = -1;
chan c0 = [1] of { byte };
active [2] proctype P0() provided (_nr_pr > 1) {
  byte x = 1;
  L0: x = !u % 3;
  end0: c0?2;
  c0??eval(x);
  L1: s = 1 % 3;
  end1: c0?<s>;
  c0!!1 % 3;
  s = 1;
  do
  ::
    for (x : 1 .. 2) {
      assert(!(s < 1))
    };
    do
    ::
      s = 0;
      x = (x + 1) % 3;
      c0!s % 3
    ::
      0 > u
    od
  ::
    full(c0);
    break
  od
}
active [2] proctype P1() {
  L0: skip;
  atomic {
    c0??_
  };
  L1: s = len(c0) % 3;
  d_step {
    skip
  };
  printf("here\n");
  c0?u;
  atomic {
    {
      u = len(c0) % 3;
      if
      ::
        timeout
      ::
        c0??s;
        u = (u + 1) % 3
      ::
        else;
        skip
      fi
    } unless {
      c0!!1 % 3;
      c0?0
    }
  }
}
