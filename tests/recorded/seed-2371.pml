// recorded: states=26 transitions=36 verdict=none errors=0
mtype = { red, green, blue };
byte g;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [1] of { byte };
proctype Child(byte v; chan q) {
  byte x = 0;
  L0: v = (v + 1) % 3;
  end0: q?2;
  if
  ::
    !(1 == pair.second[1])
  ::
    c0??pair.second[1];
    do
    ::
      nempty(c0)
    ::
      else
    od;
    q!1 % 3
  ::
    else;
    bit t1 = 1
  fi;
  L1: skip;
  do
  ::
    nempty(c0);
    pair.second[1] = !g % 2
  ::
    x = (x + 1) % 3
  od
}
active proctype P0() priority 2 provided (full(c0)) {
  byte x = 1;
  L0: x = (g - 1) % 3;
  skip
}
active proctype P1() {
  byte x = 1;
  L0: skip;
  atomic {
    _nr_pr < 4;
    run Child((g != 1 -> pair.first : pair.second[1]), c0)
  };
  L1: pair.first = 2;
  {
    if
    ::
      2 < x;
      do
      ::
        x = 1 % 3;
        c0!1 % 3;
        skip
      ::
        nempty(c0);
        g = pair.first % 3
      ::
        break
      od;
      pair.first = 0 % 3
    ::
      else
    fi;
    d_step {
      c0!2 % 3;
      pair.first = pair.second[1] % 3;
      c0??<x>
    };
    g = 0
  } unless {
    pair.second[1] == 1;
    {
      pair.first = (pair.first + 1) % 3
    } unless {
      _nr_pr > 1
    }
  }
}
