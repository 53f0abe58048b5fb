// recorded: states=162 transitions=326 verdict=invalid end state errors=4
mtype = { red, green, blue };
byte g;
short s = -1;
bit h[3];
chan c0 = [1] of { mtype };
chan c1 = [0] of { bit, byte };
active proctype P0() {
  L0: g = (h[2] | 1) % 3;
  atomic {
    c1!g % 3,0 % 3
  };
  {
    c0?blue
  }
}
active proctype P1() {
  byte x = 1;
  L0: h[2] = 0;
  s = 0 % 3;
  L1: s = x % 3;
  atomic {
    c1!(h[2] << 1) % 3,2 % 3;
    for (x : 1 .. 2) {
      skip
    };
    1 >= h[2];
    select (g : 0 .. 2)
  }
}
active proctype P2() {
  byte x = 1;
  chan own = [2] of { bit, byte };
  L0: g = (g + 1) % 3;
  if
  ::
    s = 0;
    x = (x + 1) % 3
  ::
    0 >= h[2];
    {
      if
      ::
        h[2] == 2;
        assert(2 >= s);
        s = s % 3
      ::
        timeout;
        printm(green);
        x = 0
      ::
        else
      fi
    };
    g = x % 3
  fi;
  L1: s = x % 3;
  printm(green)
}
