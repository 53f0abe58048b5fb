// recorded: states=31 transitions=58 verdict=invalid end state errors=1
mtype = { red, green, blue };
byte g;
unsigned u : 2 = 1;
chan c0 = [1] of { mtype };
active [2] proctype P0() {
  byte x = 1;
  L0: x = u % 3;
  assert(g != 0);
  c0?blue
}
active proctype P1() priority 2 {
  L0: g = 0;
  g = 0;
  L1: skip;
  g = (g + 1) % 3
}
active proctype P2() {
  L0: u = u % 3;
  g = (g & 1) % 3;
  atomic {
    c0?<red>;
    assert(g >= 1)
  };
  atomic {
    byte t1 = g % 3;
    select (g : 0 .. 2);
    skip
  }
}
