// recorded: states=9 transitions=11 verdict=none errors=0
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
short s = -1;
chan c0 = [1] of { byte };
chan c1 = [2] of { mtype, byte };
active proctype P0() {
  byte x = 2;
  L0: s = (s + 1) % 3;
  0 >= s
}
active [2] proctype P1() priority 2 {
  L0: pair.first = (pair.first + 1) % 3;
  end0: c0?s;
  if
  ::
    c0??<2>;
    if
    ::
      pair.second[1] <= 2;
      {
        c1?blue,eval(s)
      } unless {
        _nr_pr < 3;
        pair.first = 0 % 3
      };
      if
      ::
        pair.second[1] = pair.second[1] % 2;
        c0!pair.second[1] % 3
      ::
        c0?eval(pair.first);
        c0!(pair.second[1] * 1) % 3
      ::
        true
      ::
        else
      fi
    ::
      timeout
    ::
      assert(c0??[1])
    fi;
    assert(s < 1)
  ::
    timeout
  fi;
  pair.first = 1;
  c0!(s << 1) % 3
}
active proctype P2() {
  byte x = 1;
  L0: pair.first = (pair.first + 1) % 3;
  end0: c0?pair.first;
  s = 2 % 3;
  L1: skip;
  if
  ::
    c0!(pair.first <= 0 -> s : s) % 3
  fi
}
