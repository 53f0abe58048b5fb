// recorded: states=600 transitions=1668 verdict=assertion+invalid end state errors=69
mtype = { red, green, blue };
unsigned u : 2 = 1;
bool flag;
chan c0 = [2] of { byte };
proctype Child(byte v; chan q) {
  byte x = 0;
  L0: flag = (2 <= u -> u : v) % 2;
  (true && x == 1);
  L1: x = (x + 1) % 3;
  byte t1 = 1 % 3
}
active proctype P0() {
  byte x = 2;
  L0: u = (u + 1) % 3;
  do
  ::
    nempty(c0);
    do
    ::
      flag > 0
    ::
      0 < x;
      goto L0
    ::
      assert(0 != u)
    ::
      break
    od
  ::
    true;
    atomic {
      _nr_pr < 4;
      run Child(2, c0)
    }
  ::
    else;
    if
    ::
      c0??<_>
    fi
  ::
    timeout;
    break
  od;
  x = 0
}
active proctype P1() {
  byte x = 1;
  L0: skip;
  goto L1;
  L1: skip;
  atomic {
    if
    ::
      0 <= flag;
      flag = 2 % 2
    fi;
    flag = 0 % 2;
    assert(!(x >= 2));
    c0!2 % 3
  }
}
active proctype P2() {
  L0: u = 0;
  {
    atomic {
      skip;
      c0!u % 3
    }
  };
  L1: u = (u + 1) % 3;
  u = 2 % 3;
  d_step {
    flag = (flag + 1) % 2;
    printf("here\n")
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(2, c0)
  };
  do
  ::
    flag != 2
  ::
    byte t2
  ::
    break
  od
}
