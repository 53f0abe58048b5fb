// recorded: states=146 transitions=246 verdict=invalid end state errors=10
mtype = { red, green, blue };
unsigned u : 2 = 1;
byte row[2];
chan c0 = [1] of { bit, byte };
proctype Child(byte v; chan q) {
  L0: row[1] = (row[(_pid) & 1] >> 1) % 2;
  atomic {
    bit t1 = 1;
    assert(c0?[0,eval(row[(_pid) & 1])]);
    c0!2 % 3,(t1 * 1) % 3;
    v = v % 3
  }
}
active proctype P0() provided (0 <= row[(_pid) & 1]) {
  L0: row[0] = 1 % 3;
  row[(_pid) & 1] = 1 % 3;
  L1: row[0] = 1;
  c0!!row[0] % 3,0 % 3;
  row[1] = (row[1] + 1) % 2
}
active proctype P1() {
  L0: row[0] = 0;
  c0?row[(_pid) & 1],row[1];
  L1: row[(_pid) & 1] = 1;
  c0!2 % 3,(row[0] >= 2 -> row[(_pid) & 1] : row[1]) % 3
}
active proctype P2() {
  byte x = 1;
  chan own = [1] of { mtype, byte };
  L0: skip;
  atomic {
    d_step {
      row[1] = 0;
      x = 0 % 3;
      row[0] = 2 % 3
    }
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(row[(_pid) & 1], c0)
  };
  if
  ::
    (true || empty(c0))
  fi
}
