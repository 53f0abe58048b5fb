// recorded: states=1728 transitions=5738 verdict=assertion+invalid end state errors=263
mtype = { red, green, blue };
byte g;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [2] of { byte };
chan c1 = [1] of { byte };
active proctype P0() {
  L0: g = 0;
  do
  ::
    (pair.second[1] >= 2 && 1 >= g);
    c0?eval(pair.first);
    {
      {
        g = 1;
        skip;
        c1!pair.first % 3
      } unless {
        true;
        c1!(pair.first >> 1) % 3
      }
    }
  ::
    1 > pair.first;
    empty(c1);
    d_step {
      pair.second[1] <= 0;
      {
        g = (g + 1) % 3
      }
    }
  ::
    break
  od;
  assert(1 == g);
  atomic {
    c1?_
  }
}
active proctype P1() {
  byte x = 1;
  L0: skip;
  atomic {
    pair.first = 1 % 3
  };
  select (g : 0 .. 2)
}
active [2] proctype P2() {
  L0: pair.first = (pair.first + 1) % 3;
  atomic {
    {
      if
      ::
        g = 1;
        skip;
        c0!!(g + g) % 3
      ::
        c1!1 % 3;
        g = 1 % 3
      ::
        timeout
      fi;
      c1!!(pair.first ^ 1) % 3;
      if
      ::
        0 != pair.second[1];
        skip;
        c0!(pair.second[1] <= 0 -> g : g) % 3
      ::
        pair.first == 0
      ::
        else;
        printm(green)
      fi
    } unless {
      true
    };
    for (g : 0 .. 1) {
      pair.second[1] = len(c1) % 2
    };
    1 >= pair.first
  }
}
