// recorded: states=16 transitions=32 verdict=invalid end state errors=1
mtype = { red, green, blue };
short s = -1;
bit h[3];
bool flag;
chan c0 = [1] of { mtype };
proctype Child(byte v) {
  byte x = 2;
  L0: h[2] = 2 % 2;
  {
    assert(x >= 0)
  } unless {
    v > 0
  };
  L1: v = _nr_pr % 3;
  do
  ::
    c0!!green
  ::
    else
  od
}
active proctype P0() {
  byte x = 1;
  L0: flag = 0;
  end0: c0?<red>;
  c0!!blue;
  L1: skip;
  atomic {
    x = (x + 1) % 3;
    d_step {
      nfull(c0);
      h[2] = (h[2] + 1) % 2
    };
    c0!!red;
    if
    ::
      c0!!green
    ::
      c0??[blue]
    ::
      flag = x % 2;
      !(2 >= h[2]);
      skip
    fi
  }
}
active [2] proctype P1() {
  byte x = 2;
  L0: s = !s % 3;
  do
  ::
    c0?green;
    c0!green;
    assert(flag > 2)
  ::
    nempty(c0)
  od;
  flag = (flag + 1) % 2;
  d_step {
    nempty(c0);
    skip;
    printf("here\n")
  }
}
active proctype P2() {
  L0: skip;
  atomic {
    _nr_pr < 4;
    run Child((h[2] + s))
  };
  L1: skip;
  1 != s;
  bit t1 = 1
}
init {
  atomic {
    _nr_pr < 4;
    run Child(1)
  };
  h[2] = 0
}
