// recorded: states=820 transitions=2150 verdict=invalid end state errors=11
mtype = { red, green, blue };
short s = -1;
byte g;
bool flag;
chan c0 = [0] of { byte };
proctype Child(byte v; chan q) {
  byte x = 1;
  L0: flag = 0 % 2;
  skip
}
active proctype P0() {
  byte x = 0;
  L0: x = 1 % 3;
  end0: c0?g;
  c0?g;
  {
    do
    ::
      x != 1;
      c0!1 % 3
    ::
      s = (s + 1) % 3
    ::
      c0?eval(s);
      x = 0
    ::
      else;
      (s == 2 || s <= 2)
    od
  } unless {
    flag > 1
  }
}
active proctype P1() {
  byte x = 2;
  L0: s = 1;
  x = (x + 1) % 3;
  L1: s = (s + 1) % 3;
  atomic {
    for (g : 0 .. 1) {
      c0?flag
    };
    c0?x;
    c0?flag;
    x = (x + 1) % 3
  }
}
active [2] proctype P2() {
  L0: flag = (flag + 1) % 2;
  {
    {
      flag = (flag + 1) % 2
    };
    2 == flag;
    if
    ::
      s = flag % 3;
      s = (g <= 0 -> flag : flag) % 3
    fi
  } unless {
    s != 0;
    bit t1 = 1
  };
  L1: g = 1;
  s = (s + 1) % 3
}
