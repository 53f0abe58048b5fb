// recorded: states=30 transitions=45 verdict=invalid end state errors=2
mtype = { red, green, blue };
mtype colour = green;
bit h[3];
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [1] of { byte };
active proctype P0() priority 2 provided (len(c0) == 1) {
  byte x = 1;
  L0: x = pair.first % 3;
  d_step {
    2 >= x;
    c0!pair.first % 3;
    c0?h[2];
    bit t1 = 1
  };
  bit t2 = 1;
  d_step {
    x != 2
  }
}
active proctype P1() {
  L0: h[2] = 1;
  pair.second[1] = 0;
  L1: colour = colour;
  do
  ::
    c0?eval(pair.second[1]);
    pair.second[1] = _pid % 2
  od
}
active proctype P2() {
  L0: pair.first = 0;
  do
  ::
    pair.second[1] > 0;
    c0!(pair.first + pair.first) % 3
  ::
    (pair.first < 0 && 2 == pair.second[1]);
    if
    ::
      pair.second[1] = (pair.second[1] + 1) % 2;
      do
      ::
        c0?pair.first;
        c0?pair.first
      od;
      pair.second[1] = (pair.second[1] + 1) % 2
    ::
      c0!h[2] % 3;
      c0?pair.second[1];
      if
      ::
        c0!(2 != pair.first -> pair.first : pair.first) % 3;
        c0!(h[2] + pair.first) % 3
      fi
    ::
      else;
      c0!(pair.first | 1) % 3
    fi
  ::
    else
  ::
    break
  od;
  L1: pair.first = 1;
  h[2] = (h[2] + 1) % 2
}
