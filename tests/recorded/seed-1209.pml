// recorded: states=268 transitions=531 verdict=invalid end state errors=6
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
mtype colour = green;
chan c0 = [0] of { bit, byte };
chan c1 = [0] of { mtype, byte };
proctype Child(byte v; chan q) {
  byte x = 2;
  chan own = [2] of { mtype };
  L0: colour = red;
  colour = red
}
active proctype P0() {
  byte x = 0;
  L0: pair.second[1] = (x >> 1) % 2;
  for (x : 1 .. 2) {
    pair.second[1] = 2 % 2
  };
  L1: pair.first = 1 % 3;
  end1: c0?pair.second[1],eval(x);
  atomic {
    bit t1 = 1
  }
}
active proctype P1() {
  byte x = 1;
  L0: pair.second[1] = _pid % 2;
  pair.first = 2 % 3;
  L1: colour = red;
  printf("here\n")
}
active proctype P2() {
  byte x = 0;
  L0: pair.first = (pair.first + 1) % 3;
  2 < x;
  if
  ::
    (pair.first > 0 && pair.second[1] >= 0)
  ::
    !(pair.second[1] > 1);
    atomic {
      colour = colour
    }
  ::
    c0?pair.second[1],pair.first;
    do
    ::
      pair.second[1] <= 2;
      atomic {
        _nr_pr < 4;
        run Child(pair.first, c0)
      };
      do
      ::
        colour = blue;
        c1?colour,pair.first
      ::
        c0?0,_;
        pair.second[1] = (pair.second[1] + 1) % 2
      ::
        pair.first <= 0;
        pair.first = 1 % 3;
        x = (x + 1) % 3
      ::
        c0?eval(pair.first),pair.second[1];
        break
      od
    ::
      else
    od
  ::
    else
  fi;
  x > 2
}
