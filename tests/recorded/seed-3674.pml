// recorded: states=10 transitions=13 verdict=invalid end state errors=1
mtype = { red, green, blue };
unsigned u : 2 = 1;
byte g;
chan c0 = [1] of { mtype, byte };
chan c1 = [2] of { byte };
active proctype P0() {
  byte x = 0;
  L0: g = 1;
  d_step {
    u >= 0;
    c0!green,_nr_pr % 3;
    if
    ::
      empty(c1);
      if
      ::
        true
      ::
        else
      fi
    ::
      else
    fi
  };
  L1: g = (g + 1) % 3;
  true
}
active proctype P1() {
  byte x = 0;
  L0: u = 0;
  c0??red,x;
  L1: g = x % 3;
  do
  ::
    _nr_pr < 3;
    c0!green,g % 3;
    d_step {
      g != 0;
      u = 1;
      c1?2;
      x = 0
    }
  ::
    1 != u
  ::
    _nr_pr > 1
  ::
    else
  ::
    break
  od;
  if
  ::
    c0?_,2
  ::
    assert(!(1 < g))
  ::
    c1?<x>
  ::
    else;
    {
      x = 2 % 3
    } unless {
      c1?1;
      {
        g = _pid % 3;
        assert(full(c0))
      } unless {
        u = 0 % 3;
        c1!!(g << 1) % 3
      }
    }
  fi;
  if
  ::
    c1??1;
    c1!g % 3;
    do
    ::
      g = 2 % 3
    od
  fi;
  {
    byte t1 = 1;
    {
      c1!2 % 3
    } unless {
      u == 0;
      atomic {
        c1!0 % 3
      }
    };
    goto L0
  } unless {
    (u >= 0 || c0?[green,1]);
    atomic {
      if
      ::
        select (g : 0 .. 2)
      ::
        x = 2 % 3;
        u = (g > 1 -> u : x) % 3
      fi;
      skip;
      skip
    }
  }
}
