// recorded: states=136 transitions=316 verdict=none errors=0
mtype = { red, green, blue };
byte g;
mtype colour = green;
chan c0 = [1] of { byte };
proctype Child(byte v; chan q) {
  byte x = 2;
  L0: g = 1 % 3;
  atomic {
    x = (x + 1) % 3;
    if
    ::
      q?x;
      x = (x + 1) % 3;
      {
        v = v % 3;
        c0!!_nr_pr % 3
      } unless {
        q?<x>
      }
    ::
      c0?eval(v);
      goto L0
    ::
      c0??2
    fi
  };
  L1: x = (v + x) % 3;
  x = (x + 1) % 3
}
active proctype P0() {
  L0: g = (g + 1) % 3;
  d_step {
    g = (g + 1) % 3;
    g = (g + 1) % 3
  };
  L1: g = (g + 1) % 3;
  printm(green);
  atomic {
    _nr_pr < 4;
    run Child(0, c0)
  }
}
active proctype P1() priority 3 {
  L0: g = (1 > g -> g : g) % 3;
  g = 0 % 3;
  L1: g = 0 % 3;
  d_step {
    c0!!g % 3;
    g = !g % 3;
    c0??g
  }
}
active [2] proctype P2() {
  byte x = 2;
  L0: x = 0;
  c0!!2 % 3;
  L1: colour = green;
  d_step {
    colour = colour;
    g = 2 % 3;
    if
    ::
      c0??1;
      c0!2 % 3
    ::
      c0!1 % 3;
      x = g % 3
    ::
      else
    fi
  };
  goto L1
}
init {
  atomic {
    _nr_pr < 4;
    run Child(g, c0)
  };
  do
  ::
    g = g % 3
  ::
    c0?g
  ::
    len(c0) == 1;
    if
    ::
      c0?g;
      select (g : 0 .. 2)
    ::
      assert(full(c0));
      g = 2 % 3
    fi
  od
}
