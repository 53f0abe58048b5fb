// recorded: states=28 transitions=36 verdict=none errors=0
mtype = { red, green, blue };
short s = -1;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [1] of { byte };
proctype Child(byte v; chan q) {
  byte x = 0;
  L0: skip;
  s = _pid % 3;
  atomic {
    if
    ::
      timeout;
      2 == v
    ::
      (s >= 0 || c0?[2])
    ::
      2 >= x;
      {
        true;
        x = 1 % 3
      } unless {
        q?v
      }
    ::
      else
    fi;
    (true || full(q))
  }
}
active proctype P0() priority 2 {
  byte x = 1;
  L0: s = (s + 1) % 3;
  s = (s + 1) % 3
}
active proctype P1() {
  byte x = 2;
  L0: pair.second[1] = (pair.second[1] + 1) % 2;
  if
  ::
    timeout;
    do
    ::
      c0!0 % 3;
      c0??<eval(pair.first)>
    ::
      c0?s
    ::
      timeout;
      break
    od;
    atomic {
      c0!2 % 3;
      pair.first = 1
    }
  ::
    else;
    {
      do
      ::
        s > 2
      od
    } unless {
      timeout;
      do
      ::
        c0??<1>
      ::
        true;
        s = 2 % 3
      ::
        else;
        pair.second[1] = _nr_pr % 2
      ::
        c0??[1];
        break
      od
    }
  fi;
  L1: x = 0;
  !(2 == s)
}
active proctype P2() {
  L0: pair.second[1] = 1;
  pair.second[1] = 0;
  L1: pair.first = 2;
  {
    c0??<0>
  } unless {
    c0?<1>;
    d_step {
      byte t1 = 1
    }
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(pair.second[1], c0)
  };
  pair.second[1] = !s % 2
}
