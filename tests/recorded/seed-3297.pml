// recorded: states=46 transitions=93 verdict=none errors=0
mtype = { red, green, blue };
byte g;
short s = -1;
unsigned u : 2 = 1;
chan c0 = [2] of { byte };
active proctype P0() {
  byte x = 2;
  L0: skip;
  c0!x % 3;
  L1: u = s % 3;
  do
  ::
    c0??_
  ::
    g = 2
  ::
    timeout
  ::
    else
  od
}
active proctype P1() {
  byte x = 2;
  L0: x = !u % 3;
  atomic {
    u = 2;
    c0?s
  };
  select (g : 0 .. 2);
  1 <= s;
  {
    c0?<eval(s)>;
    skip
  };
  c0!!(g + s) % 3
}
