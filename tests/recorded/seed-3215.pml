// recorded: states=291 transitions=711 verdict=assertion+invalid end state errors=16
mtype = { red, green, blue };
bool flag;
chan c0 = [1] of { byte };
chan c1 = [0] of { bit, byte };
proctype Child(byte v; chan q) {
  byte x = 1;
  L0: x = (x + 1) % 3;
  atomic {
    assert(nempty(c0));
    skip;
    q?<2>
  };
  d_step {
    v >= 2;
    if
    ::
      q??2
    ::
      c0?1;
      printm(green);
      c1?2,x
    ::
      flag > 1;
      x = (x + 1) % 3;
      assert(2 <= v)
    ::
      else;
      x = (x + 1) % 3
    fi;
    skip
  }
}
active proctype P0() {
  byte x = 0;
  L0: flag = 2 % 2;
  for (x : 1 .. 2) {
    x = (x + 1) % 3
  };
  L1: x = 1 % 3;
  {
    atomic {
      assert(x <= 2)
    }
  } unless {
    true;
    atomic {
      _nr_pr < 4;
      run Child(1, c0)
    }
  };
  atomic {
    _nr_pr < 4;
    run Child(!x, c0)
  }
}
active proctype P1() {
  byte x = 2;
  L0: flag = x % 2;
  {
    flag = 0;
    for (x : 1 .. 2) {
      c0!x % 3
    };
    c1?_,2
  } unless {
    timeout
  };
  atomic {
    for (x : 1 .. 2) {
      c1!(flag << 1) % 3,len(c1) % 3
    };
    c1?1,2
  }
}
active proctype P2() {
  byte x = 2;
  L0: x = 2;
  atomic {
    x = 0 % 3;
    if
    ::
      c1?x,0
    ::
      x < 0;
      c1!2 % 3,(flag ^ 1) % 3;
      skip
    fi;
    if
    ::
      (flag >= 2 || flag <= 1)
    ::
      c0?2
    ::
      c0!0 % 3
    ::
      else;
      assert(nfull(c0))
    fi;
    c0!!x % 3
  };
  do
  ::
    2 > flag
  ::
    c0?x;
    break
  od;
  atomic {
    printm(green);
    c0!!2 % 3
  }
}
