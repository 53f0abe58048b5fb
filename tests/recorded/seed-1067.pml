// recorded: states=24 transitions=40 verdict=assertion errors=12
mtype = { red, green, blue };
short s = -1;
chan c0 = [1] of { mtype, byte };
proctype Child(byte v) {
  L0: v = s % 3;
  {
    printf("here\n")
  } unless {
    (v != 1 || nempty(c0))
  };
  L1: s = len(c0) % 3;
  assert(c0??[red,1])
}
active proctype P0() priority 2 {
  byte x = 1;
  L0: s = (s + 1) % 3;
  atomic {
    if
    ::
      timeout
    fi;
    skip;
    goto L0
  };
  byte t1 = (x + x) % 3
}
active [2] proctype P1() {
  L0: skip;
  assert(s > 2)
}
active proctype P2() {
  L0: skip;
  {
    c0?<red,1>;
    skip
  } unless {
    c0?red,_;
    goto L0
  };
  atomic {
    assert(nempty(c0))
  };
  {
    atomic {
      _nr_pr < 4;
      run Child(0)
    };
    s = (s + 1) % 3
  }
}
