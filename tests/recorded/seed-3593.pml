// recorded: states=752 transitions=1790 verdict=assertion+invalid end state errors=86
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [0] of { mtype };
chan c1 = [2] of { byte };
proctype Child(byte v; chan q) {
  byte x = 2;
  L0: pair.first = pair.first % 3;
  atomic {
    {
      c0!blue
    } unless {
      c0!blue;
      (x <= 2 || len(c1) == 1)
    };
    v = 0
  };
  L1: pair.first = 2;
  atomic {
    pair.second[1] = (pair.second[1] + 1) % 2
  }
}
active proctype P0() {
  L0: pair.first = (pair.first + 1) % 3;
  c1!!(true -> pair.first : pair.first) % 3;
  atomic {
    {
      pair.second[1] = 2 % 2;
      c1!!len(c1) % 3
    };
    c1?0;
    c1??0;
    byte t1 = 2 % 3
  }
}
active proctype P1() {
  byte x = 1;
  L0: pair.first = _nr_pr % 3;
  atomic {
    x = 0
  };
  L1: x = 0;
  {
    atomic {
      assert(x > 1)
    };
    atomic {
      _nr_pr < 4;
      run Child((1 < x -> pair.first : x), c0)
    }
  } unless {
    c0?blue;
    {
      skip
    } unless {
      true
    }
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(pair.second[1], c0)
  };
  pair.second[1] = !pair.first % 2
}
