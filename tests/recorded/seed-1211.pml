// recorded: states=8 transitions=8 verdict=invalid end state errors=1
mtype = { red, green, blue };
byte g;
chan c0 = [0] of { mtype };
chan c1 = [1] of { mtype };
active proctype P0() provided ((g > 2 && g == 1)) {
  byte x = 0;
  L0: x = x % 3;
  c1!red
}
active proctype P1() {
  byte x = 1;
  L0: g = 1;
  c0!green;
  printm(green);
  do
  ::
    c1?red;
    if
    ::
      empty(c1);
      do
      ::
        g > 2
      ::
        (2 > g && x < 0);
        c1!blue
      ::
        c0!green;
        printf("here\n");
        c1!red
      ::
        else;
        g <= 1
      od
    ::
      atomic {
        byte t1;
        break;
        t1 = !t1 % 2;
        assert(!(x >= 2))
      };
      assert(g > 1)
    ::
      c0?blue;
      do
      ::
        c0?blue;
        x >= 0;
        c0?red
      ::
        (2 < g || c1??[blue]);
        c0!green
      ::
        c0!blue
      ::
        break
      od;
      select (g : 0 .. 2)
    ::
      else
    fi
  ::
    (x == 2 || g < 1);
    g = (g + 1) % 3;
    if
    ::
      {
        c1!!blue;
        assert(nempty(c1));
        skip
      } unless {
        true;
        c1?blue
      };
      atomic {
        x = 1;
        byte t2;
        (true || true);
        t2 = len(c0) % 2
      }
    ::
      else
    fi
  ::
    empty(c1);
    atomic {
      g = g % 3;
      assert((2 < x && g != 2));
      x >= 1
    }
  ::
    break
  od
}
active proctype P2() {
  byte x = 0;
  L0: x = x % 3;
  if
  ::
    c1?red;
    atomic {
      x = x % 3
    }
  ::
    0 < x
  ::
    timeout
  fi;
  L1: x = _pid % 3;
  d_step {
    bit t3 = 1
  }
}
