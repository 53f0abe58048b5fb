// recorded: states=32 transitions=72 verdict=none errors=0
mtype = { red, green, blue };
bool flag;
byte g;
chan c0 = [2] of { mtype };
active proctype P0() provided (g <= 1) {
  L0: flag = _pid % 2;
  end0: c0??green;
  {
    if
    ::
      g = len(c0) % 3
    ::
      flag = 2 % 2;
      c0?_
    fi
  } unless {
    timeout;
    if
    ::
      c0??blue;
      bit t1 = 1
    ::
      timeout;
      flag = (flag + 1) % 2;
      c0!!blue
    fi
  };
  atomic {
    d_step {
      skip;
      assert((g < 2 || c0?[blue]));
      c0!red
    }
  };
  {
    printm(green);
    printm(green);
    flag = len(c0) % 2
  } unless {
    g <= 2;
    d_step {
      !(2 > g);
      c0?_;
      if
      ::
        g = (g + 1) % 3
      ::
        true;
        flag = (g + g) % 2;
        flag = 1
      ::
        g = 1
      ::
        else;
        g = flag % 3
      fi
    }
  }
}
active proctype P1() {
  L0: flag = 0;
  g = 1;
  L1: g = 1;
  end1: c0?red;
  c0!red;
  skip
}
active [2] proctype P2() provided ((true || len(c0) == 1)) {
  byte x = 0;
  L0: x = 1;
  end0: c0??green;
  d_step {
    (true || nempty(c0))
  };
  L1: flag = 0;
  byte t2 = x % 3;
  printm(green)
}
