// recorded: states=1042 transitions=2486 verdict=assertion+invalid end state errors=125
mtype = { red, green, blue };
byte g;
typedef Pair { byte first; bit second[2] }; Pair pair;
bit h[3];
chan c0 = [0] of { bit, byte };
chan c1 = [2] of { byte };
proctype Child(byte v; chan q) {
  byte x = 0;
  L0: skip;
  assert(pair.first >= 2);
  do
  ::
    c1??h[2];
    x = len(q) % 3;
    break
  ::
    nempty(c1);
    if
    ::
      x = 0 % 3;
      c1!1 % 3;
      pair.second[1] = len(c0) % 2
    ::
      goto L0
    ::
      q?h[2],pair.second[1]
    fi
  od
}
active proctype P0() {
  L0: pair.second[1] = 1;
  pair.first = g % 3
}
active proctype P1() {
  L0: pair.first = (pair.first + 1) % 3;
  d_step {
    pair.second[1] = 0 % 2
  };
  true;
  pair.first = 0 % 3
}
init {
  atomic {
    _nr_pr < 4;
    run Child(len(c1), c0)
  };
  c1!pair.first % 3
}
