// recorded: states=2568 transitions=6472 verdict=none errors=0
mtype = { red, green, blue };
mtype colour = green;
unsigned u : 2 = 1;
bool flag;
chan c0 = [1] of { byte };
chan c1 = [2] of { byte };
proctype Child(byte v) {
  byte x = 0;
  L0: flag = 0;
  end0: c1?1;
  c0??1
}
active proctype P0() {
  byte x = 1;
  L0: x = (u * 1) % 3;
  d_step {
    (colour == green || c1?[eval(x)]);
    c1!flag % 3
  };
  for (x : 1 .. 2) {
    do
    ::
      colour == colour;
      {
        byte t1 = 1
      } unless {
        c0?x;
        goto L0
      }
    ::
      else;
      u = 2
    ::
      break
    od
  }
}
active proctype P1() {
  byte x = 2;
  L0: u = 2 % 3;
  atomic {
    c0!u % 3
  };
  {
    byte t2 = 1 % 3
  } unless {
    flag = 0
  };
  atomic {
    _nr_pr < 4;
    run Child(1)
  }
}
active proctype P2() {
  byte x = 2;
  L0: x = (x + 1) % 3;
  x = 2 % 3;
  L1: u = (u + 1) % 3;
  colour = green
}
