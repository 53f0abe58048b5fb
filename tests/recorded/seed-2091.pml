// recorded: states=103 transitions=252 verdict=none errors=0
mtype = { red, green, blue };
byte g;
unsigned u : 2 = 1;
short s = -1;
chan c0 = [1] of { mtype, byte };
active proctype P0() {
  byte x = 1;
  L0: g = u % 3;
  u = 0 % 3;
  L1: s = (u + g) % 3;
  do
  ::
    timeout;
    do
    ::
      u < 1;
      s = 1;
      s = 1
    ::
      c0?green,eval(g)
    ::
      c0??<green,0>;
      break
    od;
    2 == g
  od
}
active proctype P1() {
  L0: g = 2;
  goto L0;
  atomic {
    c0?blue,s
  };
  atomic {
    c0??blue,u;
    0 != s
  }
}
active proctype P2() {
  L0: s = 1 % 3;
  if
  ::
    true;
    bit t1 = 1
  ::
    u = (u + 1) % 3;
    c0?blue,g
  fi;
  L1: skip;
  s = (g > 2 -> u : g) % 3;
  if
  ::
    timeout;
    c0!red,(0 >= s -> s : u) % 3;
    do
    ::
      select (g : 0 .. 2)
    ::
      s <= 2;
      c0!!green,!g % 3;
      u = 1 % 3
    ::
      break
    od
  ::
    timeout;
    atomic {
      nempty(c0);
      c0!green,u % 3;
      g = s % 3
    }
  ::
    s != 0
  fi
}
