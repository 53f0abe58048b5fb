// recorded: states=520 transitions=1692 verdict=invalid end state errors=1
mtype = { red, green, blue };
unsigned u : 2 = 1;
byte row[2];
chan c0 = [0] of { mtype };
chan c1 = [0] of { bit, byte };
proctype Child(byte v; chan q) {
  L0: skip;
  assert(row[0] == 2)
}
active proctype P0() {
  byte x = 2;
  L0: skip;
  row[1] = 2 % 2;
  L1: skip;
  atomic {
    c1!2 % 3,u % 3;
    {
      c1!!x % 3,0 % 3;
      assert(!(1 >= row[(1) & 1]))
    } unless {
      c0?green;
      skip
    };
    x = 0
  }
}
active proctype P1() {
  L0: row[1] = u % 2;
  assert(_nr_pr > 1);
  row[(1) & 1] = row[1] % 3;
  {
    {
      goto L0
    };
    atomic {
      byte t1;
      d_step {
        assert(u <= 0)
      };
      if
      ::
        c0!red
      fi;
      c1?t1,1
    }
  } unless {
    2 > row[1];
    atomic {
      row[(1) & 1] = 0 % 3
    }
  }
}
active [2] proctype P2() {
  byte x = 0;
  L0: u = x % 3;
  row[0] = (row[0] + 1) % 3;
  L1: row[(1) & 1] = 0;
  atomic {
    _nr_pr < 4;
    run Child(1, c0)
  };
  d_step {
    (row[(1) & 1] > 2 || x == 1);
    if
    ::
      row[0] = (row[0] + 1) % 3;
      skip
    ::
      else
    fi;
    for (x : 1 .. 2) {
      x = (x + 1) % 3
    }
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child((row[(1) & 1] >= 1 -> row[0] : row[(1) & 1]), c0)
  };
  if
  ::
    (true && row[1] == 2)
  fi
}
