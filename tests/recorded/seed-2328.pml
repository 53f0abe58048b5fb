// recorded: states=284 transitions=670 verdict=none errors=0
mtype = { red, green, blue };
byte g;
unsigned u : 2 = 1;
short s = -1;
chan c0 = [0] of { byte };
proctype Child(byte v; chan q) {
  byte x = 0;
  L0: u = x % 3;
  c0!2 % 3;
  L1: u = 0;
  {
    {
      if
      ::
        q?eval(s);
        q!0 % 3;
        c0?x
      ::
        c0?s;
        byte t1
      ::
        else
      fi;
      printm(green)
    } unless {
      g == 1
    };
    q!!x % 3
  }
}
active [2] proctype P0() {
  byte x = 2;
  L0: x = (x + 1) % 3;
  printm(green);
  L1: x = 2;
  s = _pid % 3
}
active proctype P1() {
  byte x = 0;
  L0: u = u % 3;
  x = 0;
  L1: u = 0;
  select (g : 0 .. 2)
}
