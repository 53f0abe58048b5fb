// recorded: states=72 transitions=155 verdict=invalid end state errors=3
mtype = { red, green, blue };
byte g;
short s = -1;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [2] of { byte };
chan c1 = [1] of { bit, byte };
active proctype P0() {
  byte x = 2;
  L0: x = (x + 1) % 3;
  c1!!s % 3,0 % 3
}
active proctype P1() {
  byte x = 2;
  L0: x = 1;
  atomic {
    skip;
    skip;
    s = 1;
    {
      c0!2 % 3
    } unless {
      nfull(c0);
      byte t1 = 2 % 3
    }
  };
  atomic {
    c1!!0 % 3,0 % 3;
    goto L0;
    skip
  };
  do
  ::
    timeout;
    c1!pair.first % 3,pair.second[1] % 3;
    c0?pair.second[1]
  ::
    c1!pair.first % 3,!pair.second[1] % 3
  ::
    else
  ::
    c0!1 % 3;
    break
  od
}
active proctype P2() {
  L0: s = 1 % 3;
  skip;
  L1: pair.first = (pair.first + 1) % 3;
  c1!(g * 1) % 3,(pair.first + pair.second[1]) % 3;
  if
  ::
    (s <= 0 && g == 2);
    c0?pair.first
  ::
    _nr_pr > 1;
    c1?<1,pair.second[1]>
  fi
}
