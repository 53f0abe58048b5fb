// recorded: states=811 transitions=1991 verdict=assertion+invalid end state errors=174
mtype = { red, green, blue };
unsigned u : 2 = 1;
mtype colour = green;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [1] of { bit, byte };
chan c1 = [1] of { mtype };
proctype Child(byte v) {
  byte x = 1;
  L0: pair.second[1] = len(c1) % 2;
  atomic {
    v = 0 % 3;
    colour = red;
    assert(colour == green);
    d_step {
      assert(empty(c1))
    }
  };
  L1: u = v % 3;
  end1: c1??colour;
  c0!!1 % 3,v % 3
}
active proctype P0() {
  byte x = 1;
  L0: x = 0;
  u == 1;
  d_step {
    (0 >= pair.first || nfull(c0));
    pair.first = 0
  };
  colour = green;
  pair.second[1] = 1;
  x = !u % 3
}
active proctype P1() {
  L0: pair.first = (pair.first + 1) % 3;
  pair.second[1] = (pair.second[1] + 1) % 2;
  L1: pair.first = 0;
  d_step {
    2 == pair.first;
    byte t1;
    c0??<pair.first,1>
  };
  c1!blue;
  do
  ::
    pair.second[1] = 0
  ::
    colour == red;
    break
  od
}
init {
  atomic {
    _nr_pr < 4;
    run Child(0)
  };
  pair.first = (pair.first + 1) % 3
}
