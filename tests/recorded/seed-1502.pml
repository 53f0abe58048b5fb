// recorded: states=24 transitions=37 verdict=assertion+invalid end state errors=7
mtype = { red, green, blue };
bit h[3];
unsigned u : 2 = 1;
byte g;
chan c0 = [1] of { mtype };
proctype Child(byte v; chan q) {
  L0: skip;
  atomic {
    (h[2] <= 1 || c0??[blue])
  };
  L1: h[2] = g % 2;
  q!!green
}
active proctype P0() {
  byte x = 1;
  L0: u = 2 % 3;
  assert(u > 2);
  if
  ::
    assert(true);
    do
    ::
      timeout
    ::
      h[2] > 0;
      c0?<_>
    ::
      c0?green
    ::
      else
    ::
      break
    od
  fi;
  {
    if
    ::
      (h[2] > 0 && 2 <= g)
    ::
      c0?blue
    ::
      true
    fi
  } unless {
    c0?<green>
  };
  bit t1 = 1;
  d_step {
    x != 2;
    if
    ::
      true;
      t1 = _nr_pr % 2;
      assert(full(c0))
    ::
      else
    fi;
    printm(green);
    x = t1 % 3
  }
}
active proctype P1() {
  byte x = 1;
  L0: x = (x + 1) % 3;
  printm(green);
  c0??_;
  {
    if
    ::
      empty(c0);
      c0!blue
    ::
      x < 2;
      d_step {
        c0!!green
      }
    ::
      else
    fi
  } unless {
    !(h[2] >= 0)
  }
}
