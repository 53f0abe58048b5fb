// recorded: states=206 transitions=414 verdict=assertion+invalid end state errors=55
mtype = { red, green, blue };
mtype colour = green;
byte g;
chan c0 = [2] of { byte };
chan c1 = [1] of { mtype, byte };
proctype Child(byte v; chan q) {
  byte x = 0;
  L0: v = _nr_pr % 3;
  do
  ::
    q??2;
    c1!green,!v % 3;
    c1!colour,0 % 3
  ::
    c1?eval(colour),x;
    2 > v
  ::
    !(1 <= x)
  ::
    c1?eval(colour),x;
    break
  od;
  L1: v = g % 3;
  assert(true)
}
active proctype P0() priority 3 {
  byte x = 2;
  L0: colour = blue;
  g = (g + 1) % 3;
  L1: colour = green;
  x = (x ^ 1) % 3;
  atomic {
    x = x % 3;
    assert(0 < g)
  }
}
active proctype P1() {
  byte x = 0;
  L0: g = len(c0) % 3;
  if
  ::
    c0?x;
    d_step {
      2 == g;
      colour = red
    };
    assert((g > 1 || full(c0)))
  ::
    (2 != g && colour == green);
    select (g : 0 .. 2)
  fi;
  L1: x = g % 3;
  x = g % 3;
  assert((g < 0 || full(c1)))
}
active [2] proctype P2() {
  L0: g = g % 3;
  g = (g + 1) % 3;
  c1??blue,g;
  printm(green)
}
init {
  atomic {
    _nr_pr < 4;
    run Child(len(c0), c0)
  };
  for (g : 0 .. 1) {
    g >= 0
  }
}
