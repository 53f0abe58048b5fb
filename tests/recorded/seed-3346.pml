// recorded: states=1134 transitions=2472 verdict=assertion+invalid end state errors=249
mtype = { red, green, blue };
short s = -1;
bit h[3];
unsigned u : 2 = 1;
chan c0 = [2] of { bit, byte };
active proctype P0() {
  byte x = 2;
  L0: s = (s + 1) % 3;
  if
  ::
    c0??_,2;
    atomic {
      assert((true && true))
    }
  ::
    else;
    if
    ::
      c0!(x + x) % 3,h[2] % 3;
      !(x <= 1)
    ::
      else;
      do
      ::
        (s == 2 || len(c0) == 1)
      ::
        c0!!!h[2] % 3,h[2] % 3
      ::
        break
      od
    fi
  fi;
  L1: h[2] = (h[2] + 1) % 2;
  atomic {
    c0!!(0 >= u -> u : h[2]) % 3,x % 3
  };
  if
  ::
    empty(c0);
    do
    ::
      timeout
    ::
      timeout;
      s = 2;
      break
    ::
      break
    od
  ::
    else;
    c0?eval(h[2]),_
  fi
}
active [2] proctype P1() {
  byte x = 0;
  chan own = [2] of { bit, byte };
  L0: x = (x + 1) % 3;
  {
    assert(s > 2)
  } unless {
    !(h[2] < 2)
  };
  if
  ::
    true;
    atomic {
      u = len(c0) % 3;
      byte t1 = 1;
      t1 != 1;
      assert(t1 < 2)
    }
  ::
    (1 != x && h[2] > 2)
  ::
    nfull(c0);
    if
    ::
      timeout
    ::
      own!h[2] % 3,1 % 3;
      c0??_,h[2]
    ::
      c0?[2,2];
      own!1 % 3,0 % 3
    fi
  ::
    else
  fi
}
