// recorded: states=88 transitions=180 verdict=assertion errors=35
mtype = { red, green, blue };
short s = -1;
bit h[3];
byte g;
chan c0 = [1] of { byte };
active proctype P0() {
  byte x = 1;
  L0: s = (s + 1) % 3;
  g = x % 3;
  atomic {
    c0!g % 3;
    {
      goto L0
    } unless {
      1 != h[2]
    };
    skip;
    c0?<eval(g)>
  };
  d_step {
    c0?s;
    if
    ::
      x = 1 % 3;
      g = 1;
      s = len(c0) % 3
    ::
      else
    fi
  }
}
active proctype P1() priority 2 {
  byte x = 1;
  L0: s = 1;
  {
    x = (x + 1) % 3;
    d_step {
      g = 2
    };
    if
    ::
      g = (g + 1) % 3;
      skip
    ::
      h[2] <= 2;
      c0!!(s >= 1 -> x : x) % 3;
      {
        c0?1
      } unless {
        c0?h[2]
      }
    ::
      c0??g;
      h[2] = (g + s) % 2;
      for (g : 0 .. 1) {
        select (g : 0 .. 2)
      }
    fi
  } unless {
    true;
    if
    ::
      0 <= s;
      skip;
      c0!!g % 3
    ::
      timeout
    ::
      c0?s
    fi
  };
  L1: s = (x < 1 -> s : h[2]) % 3;
  skip
}
active proctype P2() priority 3 {
  byte x = 1;
  L0: x = (x + 1) % 3;
  do
  ::
    h[2] = 1
  ::
    c0!(g & 1) % 3;
    do
    ::
      c0?s
    ::
      s <= 1
    ::
      if
      ::
        assert((s < 1 && s > 1))
      ::
        empty(c0);
        skip;
        x = g % 3
      ::
        c0!!2 % 3
      ::
        else;
        s = 2 % 3
      fi
    od
  ::
    c0?eval(s);
    atomic {
      c0!!0 % 3;
      x < 2
    }
  ::
    h[2] = (h[2] + 1) % 2;
    break
  od;
  L1: s = (h[2] ^ 1) % 3;
  goto L0;
  d_step {
    s < 2;
    h[2] = (x == 0 -> x : g) % 2;
    {
      c0?s;
      c0!!h[2] % 3
    }
  }
}
