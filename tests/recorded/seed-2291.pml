// recorded: states=77 transitions=154 verdict=invalid end state errors=3
mtype = { red, green, blue };
unsigned u : 2 = 1;
byte g;
chan c0 = [2] of { byte };
chan c1 = [1] of { mtype };
proctype Child(byte v) {
  byte x = 2;
  L0: u = len(c1) % 3;
  x = v % 3;
  L1: skip;
  if
  ::
    printm(green);
    atomic {
      skip
    }
  ::
    1 >= g;
    if
    ::
      v < 0;
      if
      ::
        c1!blue;
        skip;
        printm(green)
      ::
        assert(0 <= u)
      ::
        timeout;
        c1?green;
        c0!2 % 3
      fi
    ::
      0 != x;
      d_step {
        true;
        g = (g + 1) % 3
      }
    ::
      else;
      atomic {
        u = 1 % 3;
        c1!red
      }
    fi;
    {
      g = (g + 1) % 3;
      atomic {
        select (g : 0 .. 2);
        goto L1;
        c0?_
      };
      c1??[blue]
    } unless {
      true;
      {
        c0!(u + u) % 3
      } unless {
        g != 1
      }
    }
  ::
    u = (x >> 1) % 3;
    {
      u = (g + u) % 3;
      skip;
      d_step {
        v = g % 3;
        c0??<v>;
        g = v % 3
      }
    } unless {
      c0?eval(v);
      byte t1
    }
  fi
}
active proctype P0() provided (_nr_pr > 1) {
  byte x = 0;
  L0: g = 0;
  u = (g + u) % 3;
  L1: u = (u + 1) % 3;
  atomic {
    c0?eval(u);
    u = 2 % 3;
    x = 0
  }
}
active proctype P1() {
  byte x = 0;
  L0: x = !g % 3;
  u = 1;
  c1??<red>;
  u = 0 % 3
}
active proctype P2() {
  L0: g = 0 % 3;
  u = (u + 1) % 3;
  for (g : 0 .. 1) {
    atomic {
      _nr_pr < 4;
      run Child(g)
    }
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(2)
  };
  g = g % 3
}
