// recorded: states=12 transitions=13 verdict=invalid end state errors=3
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
unsigned u : 2 = 1;
chan c0 = [1] of { mtype };
proctype Child(byte v; chan q) {
  byte x = 1;
  L0: pair.second[1] = x % 2;
  printm(green)
}
active proctype P0() provided (empty(c0)) {
  L0: pair.first = (pair.second[1] == 2 -> pair.second[1] : pair.second[1]) % 3;
  u >= 0;
  c0?green;
  do
  ::
    c0!green;
    c0?green;
    {
      {
        c0!blue;
        c0!red
      } unless {
        c0??blue
      };
      c0!blue
    } unless {
      c0??[blue];
      if
      ::
        true
      ::
        else
      fi
    }
  ::
    pair.second[1] != 0;
    pair.second[1] = 1 % 2
  ::
    c0??green;
    d_step {
      c0?<red>;
      u = (u + 1) % 3
    }
  od;
  c0!red;
  do
  ::
    u = !pair.first % 3
  ::
    c0?_;
    {
      if
      ::
        c0!!green
      ::
        c0?red;
        assert(len(c0) == 1)
      fi;
      if
      ::
        c0!blue;
        u = pair.first % 3
      ::
        u = pair.first % 3;
        c0!!green;
        break
      ::
        c0!!green;
        len(c0) == 1;
        pair.first < 1
      fi
    }
  ::
    (0 < pair.first && u <= 0)
  ::
    else
  od
}
active proctype P1() {
  byte x = 2;
  L0: pair.first = 0 % 3;
  c0!blue;
  L1: pair.second[1] = 0 % 2;
  end1: c0?<red>;
  {
    (true || nfull(c0))
  };
  d_step {
    (pair.first <= 0 || c0??[blue])
  };
  skip;
  atomic {
    _nr_pr < 4;
    run Child(2, c0)
  }
}
