// recorded: states=60 transitions=120 verdict=none errors=0
mtype = { red, green, blue };
byte g;
short s = -1;
unsigned u : 2 = 1;
chan c0 = [0] of { mtype };
active proctype P0() {
  L0: skip;
  c0!blue;
  L1: u = 1;
  do
  ::
    c0!red;
    {
      g = 1 % 3
    }
  ::
    (2 == u && 0 >= s)
  od
}
active proctype P1() {
  byte x = 2;
  L0: x = (x + 1) % 3;
  c0?green;
  {
    goto L0;
    atomic {
      assert(u > 1);
      byte t1 = _pid % 3;
      d_step {
        c0!red;
        g = 2 % 3;
        t1 = len(c0) % 2
      }
    }
  } unless {
    x == 0
  }
}
active proctype P2() provided (s < 2) {
  L0: u = g % 3;
  d_step {
    g == 0;
    if
    ::
      (g >= 0 || u >= 2);
      s = 0
    ::
      g != 1;
      skip;
      c0?blue
    ::
      c0?green
    ::
      else
    fi
  };
  L1: u = 2;
  do
  ::
    c0?blue;
    c0?_;
    assert(true)
  ::
    true;
    s = 1 % 3
  ::
    c0!red
  ::
    (s > 1 && u >= 2);
    break
  od
}
