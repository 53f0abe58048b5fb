// recorded: states=64 transitions=144 verdict=invalid end state errors=2
mtype = { red, green, blue };
byte g;
byte row[2];
chan c0 = [0] of { mtype };
proctype Child(byte v; chan q) {
  byte x = 1;
  L0: g = len(c0) % 3;
  assert(row[1] > 0);
  if
  ::
    timeout;
    {
      g = 1
    } unless {
      v > 1;
      for (x : 1 .. 2) {
        row[((g - 1)) & 1] = 2 % 3
      }
    };
    g < 2
  fi
}
active [2] proctype P0() {
  byte x = 0;
  L0: skip;
  c0!green;
  atomic {
    d_step {
      skip
    };
    c0?blue;
    c0!green
  }
}
active proctype P1() {
  byte x = 0;
  L0: skip;
  end0: c0?blue;
  {
    skip
  } unless {
    row[0] != 0
  };
  L1: row[0] = (row[0] - 1) % 3;
  end1: c0?red;
  if
  ::
    true
  ::
    {
      x != 2
    } unless {
      1 >= row[((g - 1)) & 1]
    }
  ::
    g < 1;
    d_step {
      !(row[1] != 0)
    }
  ::
    else
  fi
}
active proctype P2() {
  byte x = 0;
  L0: x = (x + 1) % 3;
  {
    c0?_
  };
  L1: x = g % 3;
  atomic {
    g = row[0] % 3;
    assert((row[((g - 1)) & 1] <= 2 || 2 <= row[1]))
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(1, c0)
  };
  c0!red
}
