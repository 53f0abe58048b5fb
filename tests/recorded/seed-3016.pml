// recorded: states=28 transitions=37 verdict=assertion+invalid end state errors=4
mtype = { red, green, blue };
byte g;
chan c0 = [1] of { mtype };
active proctype P0() priority 2 {
  byte x = 2;
  L0: x = 2;
  do
  ::
    !(0 >= x)
  ::
    true;
    g = g % 3;
    select (g : 0 .. 2)
  ::
    x = 0;
    break;
    do
    ::
      !(g > 0)
    ::
      1 == x
    ::
      g < 0;
      break
    od
  ::
    else
  od;
  assert(g != 1);
  assert(empty(c0));
  do
  ::
    2 == x;
    c0?red;
    d_step {
      c0?[blue]
    }
  od
}
active proctype P1() {
  byte x = 2;
  L0: x = g % 3;
  c0!green;
  L1: skip;
  end1: c0?blue;
  atomic {
    g = 0;
    {
      if
      ::
        byte t1 = 1
      ::
        !(0 != g)
      fi;
      c0?blue
    };
    c0?red
  };
  c0?<_>;
  c0!!red;
  assert((g < 2 && g != 2))
}
