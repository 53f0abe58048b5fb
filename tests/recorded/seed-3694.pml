// recorded: states=44 transitions=85 verdict=none errors=0
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
byte g;
chan c0 = [0] of { mtype };
chan c1 = [1] of { mtype, byte };
active proctype P0() {
  L0: g = 1;
  {
    for (g : 0 .. 1) {
      select (g : 0 .. 2)
    };
    g = _nr_pr % 3
  };
  L1: pair.second[1] = (pair.second[1] + 1) % 2;
  do
  ::
    c1!red,(g + pair.second[1]) % 3
  ::
    else;
    select (g : 0 .. 2)
  od;
  c1!green,_nr_pr % 3
}
active proctype P1() provided (!(pair.first >= 0)) {
  L0: pair.first = 1 % 3;
  if
  ::
    pair.first != 1;
    c1!blue,1 % 3
  ::
    c0?blue
  ::
    c0!blue
  fi;
  pair.second[1] = _pid % 2;
  c0?green
}
active proctype P2() {
  byte x = 1;
  L0: g = 0;
  end0: c0?green;
  if
  ::
    c1??red,pair.first;
    {
      g = (g + 1) % 3
    };
    d_step {
      pair.second[1] = pair.first % 2
    }
  ::
    c1?red,2
  fi
}
