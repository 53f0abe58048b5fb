// recorded: states=230 transitions=560 verdict=assertion+invalid end state errors=26
mtype = { red, green, blue };
byte g;
chan c0 = [1] of { mtype };
chan c1 = [2] of { byte };
active proctype P0() {
  byte x = 2;
  L0: x = (x + 1) % 3;
  if
  ::
    0 > g
  ::
    g == 1;
    c0?blue;
    d_step {
      c1!x % 3
    }
  ::
    g = _nr_pr % 3;
    if
    ::
      c0??<red>;
      do
      ::
        _nr_pr < 3;
        break
      ::
        g = g % 3;
        2 == x
      od;
      c1!(x + x) % 3
    ::
      atomic {
        assert((x >= 1 && g >= 0))
      };
      g = 2
    ::
      g = 2 % 3;
      d_step {
        x = 0 % 3;
        g = (g + 1) % 3
      }
    fi
  fi;
  L1: g = 2 % 3;
  g = 0 % 3;
  atomic {
    {
      {
        c0!!red
      } unless {
        timeout;
        select (g : 0 .. 2)
      };
      {
        g = 2 % 3;
        goto L1
      } unless {
        c0!blue
      }
    } unless {
      timeout;
      g = 0 % 3
    }
  }
}
active proctype P1() {
  byte x = 1;
  L0: x = !x % 3;
  bit t1 = 1;
  c1??<eval(g)>;
  {
    {
      assert(_nr_pr > 1);
      skip;
      c1?<x>
    } unless {
      c0?green
    };
    {
      skip
    } unless {
      c1!!2 % 3;
      select (g : 0 .. 2)
    }
  } unless {
    true
  }
}
active proctype P2() {
  byte x = 2;
  L0: x = 2;
  skip;
  c0!blue;
  atomic {
    c1!x % 3
  }
}
