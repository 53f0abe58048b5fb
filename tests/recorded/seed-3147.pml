// recorded: states=8 transitions=12 verdict=invalid end state errors=1
mtype = { red, green, blue };
byte g;
bit h[3];
unsigned u : 2 = 1;
chan c0 = [0] of { mtype };
proctype Child(byte v; chan q) {
  L0: u = (u + 1) % 3;
  do
  ::
    c0!blue;
    v = 1;
    {
      u = 2 % 3
    } unless {
      (true || h[2] != 1);
      {
        h[2] = (h[2] + 1) % 2
      } unless {
        u = _pid % 3
      }
    }
  ::
    !(2 == v);
    d_step {
      v == 2;
      h[2] = 1;
      q!blue
    };
    q?green
  ::
    (true || g > 0);
    select (g : 0 .. 2);
    _nr_pr < 3
  ::
    2 < u;
    break
  od
}
active proctype P0() {
  L0: skip;
  c0?_;
  L1: g = (g | 1) % 3;
  h[2] = 0
}
active proctype P1() {
  chan own = [1] of { byte };
  L0: g = 0 % 3;
  {
    do
    ::
      1 < u
    od
  };
  L1: h[2] = 0;
  {
    do
    ::
      (u == 1 || own?[eval(g)]);
      atomic {
        _nr_pr < 4;
        run Child(2, c0)
      };
      h[2] <= 0
    ::
      !(2 < u);
      d_step {
        c0?blue
      }
    ::
      g = (g + 1) % 3;
      d_step {
        u = (u + 1) % 3
      }
    ::
      break
    od;
    atomic {
      if
      ::
        2 > g;
        printm(green);
        c0!red
      ::
        g = 1
      ::
        else;
        printf("here\n")
      fi;
      own!2 % 3;
      goto L1
    }
  };
  for (g : 0 .. 1) {
    g = (g + 1) % 3
  }
}
active proctype P2() {
  L0: skip;
  {
    c0?red;
    assert(1 < u)
  }
}
init {
  atomic {
    _nr_pr < 4;
    run Child(h[2], c0)
  };
  {
    c0!blue
  } unless {
    (true && h[2] < 0)
  }
}
