// recorded: states=24 transitions=68 verdict=none errors=0
mtype = { red, green, blue };
bit h[3];
byte row[2];
byte g;
chan c0 = [1] of { bit, byte };
proctype Child(byte v; chan q) {
  L0: g = 1 % 3;
  byte t1 = 1;
  L1: v = 0 % 3;
  end1: q?2,row[0];
  atomic {
    row[0] > 1
  }
}
active proctype P0() {
  L0: row[0] = 2 % 3;
  atomic {
    _nr_pr < 4;
    run Child(_nr_pr, c0)
  };
  nempty(c0);
  atomic {
    assert(row[(2) & 1] >= 0);
    c0!0 % 3,row[1] % 3
  };
  atomic {
    if
    ::
      (true && 0 < row[(2) & 1])
    ::
      printf("here\n")
    fi
  }
}
active [2] proctype P1() {
  byte x = 1;
  L0: skip;
  atomic {
    goto L0
  };
  c0?eval(x),1;
  d_step {
    h[2] <= 1;
    c0!(h[2] - 1) % 3,row[1] % 3;
    row[1] = row[1] % 2;
    for (x : 1 .. 2) {
      c0!!row[(2) & 1] % 3,2 % 3
    }
  };
  c0!(x > 2 -> h[2] : row[0]) % 3,2 % 3;
  do
  ::
    c0??_,g
  ::
    empty(c0);
    row[1] = (row[1] + 1) % 2
  ::
    len(c0) == 1;
    x = 2
  ::
    break
  od
}
