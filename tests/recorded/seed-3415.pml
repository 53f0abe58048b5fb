// recorded: states=126 transitions=241 verdict=invalid end state errors=4
mtype = { red, green, blue };
mtype colour = green;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [2] of { mtype };
proctype Child(byte v) {
  byte x = 2;
  L0: x = (x + 1) % 3;
  v = len(c0) % 3
}
active proctype P0() {
  L0: pair.first = !pair.second[1] % 3;
  end0: c0?<_>;
  assert(pair.second[1] != 2);
  skip;
  printm(green)
}
active proctype P1() {
  byte x = 2;
  L0: pair.first = pair.second[1] % 3;
  do
  ::
    c0!!red
  od;
  d_step {
    1 >= pair.first;
    c0!blue;
    x = len(c0) % 3
  };
  {
    do
    ::
      (pair.second[1] == 1 && 2 >= x);
      if
      ::
        colour == red
      ::
        timeout;
        x = 0;
        assert(true)
      fi;
      c0??colour
    ::
      break
    od;
    atomic {
      assert(colour == green);
      c0!!colour
    }
  } unless {
    c0??colour;
    do
    ::
      _nr_pr < 3;
      c0!red;
      c0??colour
    ::
      timeout
    ::
      c0!red
    od
  }
}
active proctype P2() provided ((pair.first >= 1 || full(c0))) {
  byte x = 1;
  chan own = [0] of { byte };
  L0: colour = blue;
  c0!red;
  L1: pair.first = (x == 2 -> x : x) % 3;
  do
  ::
    pair.first == 0
  ::
    break
  od
}
init {
  atomic {
    _nr_pr < 4;
    run Child(0)
  };
  colour = green
}
