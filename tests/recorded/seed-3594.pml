// recorded: states=35 transitions=53 verdict=assertion+invalid end state errors=9
mtype = { red, green, blue };
short s = -1;
chan c0 = [1] of { bit, byte };
chan c1 = [0] of { byte };
active proctype P0() provided (s < 2) {
  byte x = 2;
  L0: x = (x + 1) % 3;
  s = (s + 1) % 3;
  {
    if
    ::
      c0??2,eval(x)
    ::
      skip;
      atomic {
        assert(c0??[0,eval(s)]);
        assert((s > 0 || full(c0)));
        byte t1;
        s = len(c1) % 3
      }
    ::
      c1!_pid % 3;
      if
      ::
        s == 1
      ::
        x = 2 % 3;
        c1?eval(s)
      ::
        0 >= s
      fi
    ::
      else;
      s = _nr_pr % 3
    fi;
    c1!1 % 3
  };
  {
    s = 2 % 3;
    if
    ::
      x = (s ^ 1) % 3;
      s = x % 3
    fi;
    s = (s + 1) % 3
  } unless {
    x = 0 % 3;
    d_step {
      true;
      if
      ::
        true;
        c1!1 % 3
      ::
        else;
        x = 0
      fi;
      c1?s
    }
  };
  s = (s + 1) % 3;
  {
    for (x : 1 .. 2) {
      break
    }
  }
}
active proctype P1() {
  L0: s = (s + 1) % 3;
  d_step {
    s = (s != 1 -> s : s) % 3
  };
  L1: skip;
  printm(green)
}
