// recorded: states=32 transitions=51 verdict=invalid end state errors=2
mtype = { red, green, blue };
byte row[2];
short s = -1;
bool flag;
chan c0 = [2] of { mtype, byte };
proctype Child(byte v) {
  byte x = 2;
  L0: skip;
  atomic {
    printm(green)
  };
  row[((row[1] >> 1)) & 1] = 1
}
active proctype P0() {
  L0: s = 2;
  d_step {
    (0 < row[0] && row[1] >= 2);
    row[1] = len(c0) % 2
  };
  atomic {
    if
    ::
      _nr_pr < 3;
      row[1] = (row[1] + 1) % 2
    ::
      else;
      c0!blue,row[0] % 3
    fi;
    d_step {
      row[1] < 2
    };
    c0?<blue,0>
  };
  row[1] = (row[1] + 1) % 2;
  c0??blue,row[1];
  c0?red,eval(row[1])
}
active proctype P1() priority 3 {
  L0: row[0] = _nr_pr % 3;
  atomic {
    row[1] = 0;
    row[((row[1] >> 1)) & 1] = (row[((row[1] >> 1)) & 1] + 1) % 3;
    c0?red,flag;
    assert(1 == row[1])
  };
  assert((s <= 0 && 1 == flag));
  if
  ::
    row[0] == 2;
    if
    ::
      skip;
      row[((row[1] >> 1)) & 1] = 2;
      s = (row[0] < 0 -> row[0] : row[((row[1] >> 1)) & 1]) % 3
    ::
      2 < row[((row[1] >> 1)) & 1];
      if
      ::
        byte t1
      ::
        else;
        row[0] = 1
      fi
    ::
      !(row[1] > 2)
    fi;
    assert((row[0] != 1 && s < 1))
  fi
}
init {
  atomic {
    _nr_pr < 4;
    run Child(0)
  };
  row[((row[1] >> 1)) & 1] = 0
}
