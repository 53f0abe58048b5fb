// recorded: states=54 transitions=71 verdict=assertion+invalid end state errors=13
mtype = { red, green, blue };
byte g;
chan c0 = [1] of { byte };
proctype Child(byte v) {
  chan own = [0] of { byte };
  L0: v = 2 % 3;
  end0: own?g;
  true
}
active proctype P0() {
  L0: g = g % 3;
  c0!len(c0) % 3;
  if
  ::
    g = (g + g) % 3
  ::
    c0?0
  ::
    assert(c0??[0]);
    d_step {
      full(c0)
    }
  ::
    else;
    c0!2 % 3
  fi
}
active proctype P1() {
  byte x = 1;
  L0: x = 1 % 3;
  {
    assert(x <= 0);
    {
      c0!g % 3
    } unless {
      c0!!(g + x) % 3;
      do
      ::
        g <= 2;
        select (g : 0 .. 2);
        c0!!g % 3
      ::
        timeout
      od
    };
    assert(g < 1)
  } unless {
    timeout;
    d_step {
      g = (g + 1) % 3;
      byte t1
    }
  };
  x = 2 % 3;
  c0?eval(x);
  if
  ::
    goto L0
  ::
    !(2 < x);
    atomic {
      x = 2;
      g = (x & 1) % 3;
      c0!(true -> x : g) % 3
    }
  ::
    else
  fi;
  goto L0
}
