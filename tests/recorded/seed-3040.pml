// recorded: states=216 transitions=543 verdict=none errors=0
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
bool flag;
short s = -1;
chan c0 = [0] of { byte };
active proctype P0() {
  L0: pair.second[1] = 1 % 2;
  c0!flag % 3;
  L1: pair.second[1] = (true -> flag : flag) % 2;
  byte t1 = _pid % 3
}
active proctype P1() {
  L0: skip;
  if
  ::
    pair.second[1] <= 1;
    do
    ::
      pair.second[1] != 1;
      goto L0;
      assert(pair.second[1] > 0)
    ::
      c0?1
    ::
      c0?pair.second[1];
      break
    od
  ::
    pair.second[1] = 0;
    if
    ::
      true;
      atomic {
        0 <= pair.first
      }
    fi
  fi
}
active proctype P2() {
  byte x = 2;
  L0: pair.first = 0 % 3;
  {
    {
      c0!len(c0) % 3
    } unless {
      c0?pair.first
    }
  } unless {
    true
  };
  L1: pair.second[1] = flag % 2;
  for (x : 1 .. 2) {
    x = 0 % 3
  };
  do
  ::
    {
      break
    } unless {
      c0?_;
      flag = s % 2
    }
  ::
    else;
    if
    ::
      s <= 1
    ::
      pair.second[1] != 2
    fi
  od
}
