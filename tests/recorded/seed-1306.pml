// recorded: states=168 transitions=390 verdict=invalid end state errors=10
mtype = { red, green, blue };
bool flag;
byte g;
chan c0 = [1] of { byte };
proctype Child(byte v; chan q) {
  byte x = 2;
  L0: x = (flag < 2 -> x : v) % 3;
  q?eval(v);
  L1: v = (v - 1) % 3;
  byte t1
}
active proctype P0() provided (!(g >= 1)) {
  byte x = 0;
  L0: x = (g + x) % 3;
  {
    byte t2 = 1 % 3
  } unless {
    c0?1;
    atomic {
      c0??eval(flag);
      {
        _nr_pr < 3;
        c0!g % 3;
        x = (x + 1) % 3
      } unless {
        (0 > g || c0?[0]);
        x = (x + 1) % 3
      }
    }
  };
  atomic {
    c0?<_>;
    d_step {
      (true || empty(c0))
    }
  };
  flag = 0
}
active proctype P1() {
  L0: g = (flag > 0 -> flag : g) % 3;
  skip;
  atomic {
    1 > flag
  };
  for (g : 0 .. 1) {
    atomic {
      1 != g
    }
  }
}
active proctype P2() {
  L0: g = 0;
  do
  ::
    g = flag % 3;
    if
    ::
      atomic {
        flag = _nr_pr % 2;
        flag = 1 % 2;
        printm(green);
        c0?flag
      };
      goto L0
    ::
      c0?eval(g);
      c0??<flag>;
      select (g : 0 .. 2)
    ::
      else;
      c0?eval(g)
    fi
  ::
    c0?1
  ::
    g = 0 % 3
  ::
    break
  od
}
