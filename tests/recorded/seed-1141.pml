// recorded: states=24 transitions=68 verdict=none errors=0
mtype = { red, green, blue };
byte row[2];
bit h[3];
short s = -1;
chan c0 = [0] of { byte };
proctype Child(byte v; chan q) {
  L0: row[(_nr_pr) & 1] = row[1] % 3;
  end0: q?_;
  if
  ::
    true;
    printf("here\n")
  ::
    c0?1;
    atomic {
      assert(row[(_nr_pr) & 1] != 0);
      c0!!row[(_nr_pr) & 1] % 3
    }
  ::
    else;
    atomic {
      row[1] = _pid % 2;
      h[2] = v % 2;
      c0!v % 3;
      q!row[0] % 3
    }
  fi;
  do
  ::
    c0?row[1];
    if
    ::
      c0?eval(row[0]);
      c0!(0 > row[0] -> row[0] : v) % 3;
      h[2] = 1 % 2
    ::
      c0?0
    fi
  ::
    h[2] = 1
  ::
    c0?row[0]
  ::
    break
  od
}
active proctype P0() {
  L0: row[(_nr_pr) & 1] = (row[0] * 1) % 3;
  do
  ::
    row[0] = (row[0] + row[0]) % 3
  ::
    printf("here\n")
  od
}
active proctype P1() provided (0 >= s) {
  byte x = 2;
  chan own = [2] of { mtype, byte };
  L0: s = (s + 1) % 3;
  if
  ::
    _nr_pr > 1;
    x = len(c0) % 3;
    atomic {
      d_step {
        row[1] = 0
      }
    }
  fi;
  L1: h[2] = (h[2] + 1) % 2;
  atomic {
    _nr_pr < 4;
    run Child(row[0], c0)
  }
}
active proctype P2() {
  byte x = 2;
  L0: row[0] = 0;
  atomic {
    _nr_pr < 4;
    run Child(row[1], c0)
  };
  c0?0
}
init {
  atomic {
    _nr_pr < 4;
    run Child((h[2] + row[0]), c0)
  };
  row[(_nr_pr) & 1] = (row[1] - 1) % 3
}
