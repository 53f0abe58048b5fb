// recorded: states=1073 transitions=3032 verdict=assertion+invalid end state errors=104
mtype = { red, green, blue };
byte g;
short s = -1;
chan c0 = [0] of { byte };
proctype Child(byte v; chan q) {
  L0: v = 0;
  end0: c0?g;
  d_step {
    q?v;
    if
    ::
      true
    ::
      c0!(v == 0 -> s : g) % 3
    ::
      else;
      byte t1
    fi;
    q!v % 3
  }
}
active proctype P0() {
  byte x = 1;
  L0: s = g % 3;
  printf("here\n");
  L1: g = (x + s) % 3;
  if
  ::
    0 > g
  ::
    c0!1 % 3
  ::
    c0?1;
    {
      x = len(c0) % 3
    } unless {
      s = 1;
      skip
    };
    c0?s
  fi;
  x < 2
}
active [2] proctype P1() {
  byte x = 2;
  L0: skip;
  byte t2;
  L1: g = 2;
  printf("here\n")
}
active proctype P2() {
  L0: s = 0 % 3;
  assert(g != 2);
  L1: g = 2 % 3;
  end1: c0?1;
  {
    do
    ::
      timeout;
      c0!g % 3
    ::
      timeout;
      if
      ::
        s = 1;
        break
      ::
        s > 1;
        g = 1
      ::
        c0?s
      fi;
      g = s % 3
    ::
      s == 2;
      break
    od;
    g = 2
  };
  atomic {
    g < 2;
    c0!s % 3;
    s = 2
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(s, c0)
  };
  if
  ::
    s > 0
  ::
    s > 2
  fi
}
