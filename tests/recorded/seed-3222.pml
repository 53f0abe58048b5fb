// recorded: states=176 transitions=383 verdict=assertion+invalid end state errors=30
mtype = { red, green, blue };
bool flag;
mtype colour = green;
byte g;
chan c0 = [1] of { mtype };
active proctype P0() {
  L0: g = g % 3;
  end0: c0?colour;
  atomic {
    flag = 1
  };
  L1: g = 1;
  flag = (2 > g -> flag : g) % 2;
  g = (g + 1) % 3;
  c0!colour;
  if
  ::
    (flag > 0 || nempty(c0));
    goto L0;
    c0!red
  fi
}
active proctype P1() {
  L0: flag = (flag + 1) % 2;
  do
  ::
    c0!colour;
    atomic {
      assert(c0?[blue]);
      g >= 0;
      c0!red;
      flag = (flag + 1) % 2
    }
  ::
    (flag != 0 || nfull(c0));
    c0?<green>
  ::
    atomic {
      select (g : 0 .. 2)
    }
  ::
    break
  od;
  L1: g = (g < 2 -> g : g) % 3;
  flag = 1;
  d_step {
    (colour == red && 2 >= flag);
    flag = (flag + 1) % 2
  };
  c0?eval(colour)
}
