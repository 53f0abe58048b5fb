// recorded: states=78 transitions=135 verdict=invalid end state errors=1
mtype = { red, green, blue };
unsigned u : 2 = 1;
short s = -1;
chan c0 = [1] of { byte };
proctype Child(byte v; chan q) {
  L0: u = 1;
  atomic {
    s = len(q) % 3
  };
  L1: u = s % 3;
  s = (s + 1) % 3
}
active proctype P0() provided (u == 0) {
  L0: s = 2 % 3;
  end0: c0?0;
  d_step {
    true;
    c0!!s % 3;
    c0?0;
    s = 1 % 3
  };
  L1: s = (u + u) % 3;
  u = (u + 1) % 3;
  s = (s + s) % 3
}
active proctype P1() {
  L0: skip;
  end0: c0??0;
  atomic {
    c0!!u % 3;
    c0!(u << 1) % 3
  };
  L1: u = 1 % 3;
  atomic {
    c0??0
  };
  {
    c0??0
  };
  c0!!_nr_pr % 3;
  atomic {
    s = (s + 1) % 3;
    byte t1 = 0 % 3;
    goto L1;
    {
      printm(green);
      skip;
      {
        c0?1;
        _nr_pr > 1
      }
    } unless {
      c0?s
    }
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(1, c0)
  };
  u = 2
}
