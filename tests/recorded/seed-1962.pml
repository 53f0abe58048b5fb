// recorded: states=229 transitions=411 verdict=assertion+invalid end state errors=15
mtype = { red, green, blue };
short s = -1;
chan c0 = [2] of { byte };
active proctype P0() {
  byte x = 0;
  L0: x = 1 % 3;
  {
    s = (s + 1) % 3
  } unless {
    s == 1;
    c0??x
  };
  x = (x + 1) % 3;
  if
  ::
    c0!!(x | 1) % 3
  ::
    s == 0;
    c0?[eval(x)]
  fi;
  true
}
active proctype P1() {
  L0: s = (s | 1) % 3;
  s = s % 3;
  L1: s = (s != 2 -> s : s) % 3;
  do
  ::
    (s < 0 || full(c0));
    s = 0
  ::
    s = 0;
    if
    ::
      timeout;
      s = 2
    ::
      c0?s;
      (s != 1 && 2 < s);
      if
      ::
        bit t1 = 1
      fi
    ::
      c0?0;
      {
        c0?s
      }
    fi;
    if
    ::
      true
    ::
      c0?[2]
    ::
      s = 0 % 3;
      atomic {
        s = (s + s) % 3;
        c0!2 % 3
      };
      assert(s == 2)
    ::
      else
    fi
  ::
    s <= 0
  ::
    (s != 1 || full(c0));
    break
  od;
  s = 2;
  do
  ::
    (s > 1 && s > 0)
  ::
    c0!!1 % 3;
    if
    ::
      printm(green)
    ::
      c0!2 % 3;
      do
      ::
        nfull(c0)
      od
    fi
  ::
    else;
    2 < s
  ::
    c0?s;
    break
  od
}
