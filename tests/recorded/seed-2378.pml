// recorded: states=13 transitions=18 verdict=invalid end state errors=1
mtype = { red, green, blue };
bool flag;
unsigned u : 2 = 1;
byte row[2];
chan c0 = [2] of { mtype, byte };
chan c1 = [1] of { mtype, byte };
proctype Child(byte v) {
  byte x = 1;
  L0: flag = (flag + 1) % 2;
  atomic {
    c0?green,_;
    c0?green,x
  };
  L1: u = 2;
  flag = _pid % 2
}
active proctype P0() priority 3 {
  byte x = 2;
  L0: u = 0 % 3;
  atomic {
    _nr_pr < 4;
    run Child(1)
  };
  L1: u = u % 3;
  end1: c1??_,1;
  row[0] = len(c0) % 3
}
active proctype P1() {
  L0: flag = 0;
  row[0] = _nr_pr % 3;
  (u >= 0 && 1 == row[0])
}
active proctype P2() {
  L0: skip;
  atomic {
    row[1] <= 2;
    u = (row[1] + row[1]) % 3
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(flag)
  };
  if
  ::
    c1?blue,eval(row[(2) & 1])
  ::
    row[(2) & 1] = (row[(2) & 1] + 1) % 3
  ::
    if
    ::
      full(c1);
      c0!!blue,row[0] % 3;
      assert(u > 1)
    ::
      {
        assert((row[1] == 1 || len(c1) == 1));
        skip
      } unless {
        row[1] = _nr_pr % 2;
        row[1] = 1
      };
      c1!!blue,len(c1) % 3
    fi;
    if
    ::
      empty(c1);
      printm(green);
      row[(2) & 1] = (flag <= 0 -> flag : row[0]) % 3
    ::
      timeout
    fi
  fi
}
