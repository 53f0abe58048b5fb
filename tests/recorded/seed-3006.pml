// recorded: states=65 transitions=111 verdict=none errors=0
mtype = { red, green, blue };
short s = -1;
chan c0 = [1] of { mtype, byte };
proctype Child(byte v) {
  byte x = 1;
  L0: skip;
  c0?blue,s;
  L1: s = 0 % 3;
  c0?red,eval(x)
}
active proctype P0() provided ((s < 1 && s != 1)) {
  L0: skip;
  s = (s + 1) % 3;
  c0?blue,eval(s);
  full(c0)
}
active proctype P1() {
  L0: s = (s + 1) % 3;
  end0: c0?green,s;
  {
    skip
  };
  L1: s = _pid % 3;
  !(2 >= s);
  atomic {
    c0?blue,s
  }
}
active proctype P2() {
  L0: s = 1 % 3;
  if
  ::
    skip;
    goto L0
  ::
    c0!blue,s % 3;
    do
    ::
      c0?blue,s
    ::
      s >= 0;
      true
    ::
      else
    ::
      c0?<green,eval(s)>;
      break
    od;
    goto L0
  fi
}
init {
  atomic {
    _nr_pr < 4;
    run Child(s)
  };
  c0!blue,s % 3
}
