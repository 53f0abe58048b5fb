// recorded: states=96 transitions=264 verdict=none errors=0
mtype = { red, green, blue };
byte row[2];
unsigned u : 2 = 1;
chan c0 = [2] of { mtype };
proctype Child(byte v) {
  L0: row[0] = 2;
  {
    atomic {
      skip;
      u = (v + v) % 3;
      u = (row[1] == 2 -> row[1] : row[1]) % 3;
      u = 2
    };
    row[1] >= 0
  }
}
active proctype P0() {
  byte x = 1;
  L0: x = (x + 1) % 3;
  c0??_;
  skip;
  do
  ::
    c0??[blue];
    do
    ::
      c0?blue;
      d_step {
        true;
        row[(_nr_pr) & 1] = (x + x) % 3;
        row[1] = 0;
        c0?green
      }
    ::
      !(0 > row[1]);
      break
    od;
    if
    ::
      c0!blue;
      c0!blue
    ::
      timeout;
      {
        c0?blue;
        u = (u + 1) % 3;
        c0?blue
      } unless {
        true
      };
      goto L0
    fi
  ::
    row[1] = (row[1] + 1) % 2;
    break
  od
}
active proctype P1() {
  byte x = 1;
  L0: row[0] = 2;
  d_step {
    true
  };
  do
  ::
    row[1] = 1
  ::
    c0??green;
    atomic {
      c0?red
    }
  od;
  byte t1 = 1;
  x = (x + 1) % 3;
  c0?green
}
init {
  atomic {
    _nr_pr < 4;
    run Child(len(c0))
  };
  do
  ::
    _nr_pr < 3;
    printm(green);
    atomic {
      len(c0) == 1;
      c0!!blue;
      c0?blue
    }
  ::
    c0??[blue]
  ::
    full(c0);
    if
    ::
      c0??red;
      if
      ::
        c0?green
      ::
        timeout;
        u = (u + 1) % 3
      fi;
      d_step {
        row[0] != 1
      }
    ::
      0 != row[(_nr_pr) & 1]
    ::
      _nr_pr > 1;
      atomic {
        c0?red;
        row[(_nr_pr) & 1] = len(c0) % 3;
        c0!green
      }
    fi
  ::
    break
  od
}
