// recorded: states=224 transitions=540 verdict=none errors=0
mtype = { red, green, blue };
byte g;
bool flag;
bit h[3];
chan c0 = [1] of { mtype };
proctype Child(byte v; chan q) {
  byte x = 0;
  L0: flag = (flag + 1) % 2;
  for (x : 1 .. 2) {
    goto L1
  };
  L1: h[2] = !flag % 2;
  x = 1 % 3
}
active proctype P0() {
  L0: g = (g + 1) % 3;
  d_step {
    full(c0)
  }
}
active proctype P1() {
  byte x = 0;
  L0: x = 2;
  if
  ::
    1 > flag;
    bit t1 = 1
  ::
    (h[2] <= 2 || nempty(c0));
    if
    ::
      x >= 2;
      printf("here\n");
      x = (x + 1) % 3
    fi;
    goto L0
  fi;
  printm(green);
  goto L0;
  do
  ::
    0 > x;
    for (x : 1 .. 2) {
      h[2] = x % 2
    };
    atomic {
      c0!blue;
      if
      ::
        c0!red;
        c0?_
      ::
        select (g : 0 .. 2);
        c0!blue
      ::
        else
      fi;
      if
      ::
        true
      ::
        goto L0
      fi
    }
  ::
    c0!!red;
    c0?green
  ::
    true;
    c0?red
  od;
  _nr_pr > 1
}
init {
  atomic {
    _nr_pr < 4;
    run Child(2, c0)
  };
  if
  ::
    timeout;
    skip;
    g = 2 % 3
  ::
    (h[2] == 1 && g == 1)
  ::
    timeout;
    byte t2;
    atomic {
      _nr_pr < 4;
      run Child(flag, c0)
    }
  fi
}
