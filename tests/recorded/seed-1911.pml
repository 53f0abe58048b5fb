// recorded: states=216 transitions=437 verdict=assertion+invalid end state errors=76
mtype = { red, green, blue };
unsigned u : 2 = 1;
byte row[2];
chan c0 = [1] of { mtype };
chan c1 = [0] of { bit, byte };
proctype Child(byte v; chan q) {
  byte x = 0;
  L0: x = 1;
  end0: c1?row[1],x;
  do
  ::
    c1!len(c0) % 3,_nr_pr % 3;
    1 <= row[1];
    {
      row[1] = 1;
      q!!green
    } unless {
      timeout;
      c1!0 % 3,!row[(2) & 1] % 3
    }
  ::
    q!red;
    break
  od;
  L1: row[(2) & 1] = (u + x) % 3;
  do
  ::
    (row[0] > 1 || nfull(q))
  ::
    else;
    do
    ::
      !(u <= 2)
    ::
      atomic {
        true
      };
      skip
    od
  ::
    break
  od
}
active proctype P0() {
  L0: row[(2) & 1] = row[(2) & 1] % 3;
  c0!green;
  row[(2) & 1] = 1;
  c0?blue
}
active proctype P1() provided (row[(2) & 1] >= 0) {
  byte x = 0;
  L0: x = 1 % 3;
  atomic {
    c0!!red
  };
  row[1] = (row[1] + 1) % 2;
  do
  ::
    {
      assert(x > 2)
    };
    atomic {
      c1!2 % 3,row[(2) & 1] % 3
    }
  ::
    timeout;
    if
    ::
      d_step {
        assert(row[1] > 0)
      };
      {
        u = 2;
        u = 2;
        c1!0 % 3,(x ^ 1) % 3
      } unless {
        c0?red;
        x = 1
      }
    ::
      timeout;
      c1!(row[0] ^ 1) % 3,_nr_pr % 3
    fi
  ::
    c1?row[0],eval(u);
    assert(0 >= row[(2) & 1]);
    skip
  ::
    c0!blue;
    break
  od
}
init {
  atomic {
    _nr_pr < 4;
    run Child(0, c0)
  };
  if
  ::
    c1!(row[(2) & 1] >> 1) % 3,len(c0) % 3
  ::
    0 != row[(2) & 1];
    if
    ::
      !(row[0] == 2)
    ::
      true
    ::
      !(row[(2) & 1] <= 0)
    fi
  fi
}
