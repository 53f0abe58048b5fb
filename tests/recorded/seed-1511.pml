// recorded: states=72 transitions=138 verdict=assertion+invalid end state errors=9
mtype = { red, green, blue };
short s = -1;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [0] of { mtype, byte };
active proctype P0() {
  L0: skip;
  {
    if
    ::
      pair.second[1] != 1;
      pair.first = 1 % 3;
      {
        (true || 0 >= s);
        pair.second[1] < 2;
        c0!green,pair.second[1] % 3
      } unless {
        c0!blue,(s >= 2 -> pair.second[1] : pair.first) % 3;
        pair.first == 2
      }
    fi
  } unless {
    1 > s;
    atomic {
      pair.first = (pair.first + 1) % 3;
      skip
    }
  };
  L1: pair.second[1] = (pair.second[1] + 1) % 2;
  byte t1
}
active proctype P1() {
  byte x = 2;
  L0: s = (s + 1) % 3;
  if
  ::
    timeout
  ::
    do
    ::
      s != 2
    ::
      break
    od
  fi;
  for (x : 1 .. 2) {
    assert(pair.second[1] == 1)
  };
  do
  ::
    c0?green,pair.second[1];
    s != 2
  ::
    if
    ::
      c0?blue,eval(pair.first);
      c0?green,s
    fi
  ::
    1 > x;
    (true || pair.first <= 1);
    pair.first > 2
  od
}
