// recorded: states=10 transitions=18 verdict=none errors=0
mtype = { red, green, blue };
short s = -1;
byte row[2];
byte g;
chan c0 = [2] of { byte };
chan c1 = [2] of { mtype, byte };
proctype Child(byte v) {
  byte x = 2;
  L0: g = (g + 1) % 3;
  c1??<red,row[1]>
}
active proctype P0() {
  byte x = 1;
  L0: s = 0;
  goto L0;
  atomic {
    row[(s) & 1] = (row[1] >> 1) % 3;
    {
      c0!1 % 3
    } unless {
      c0!x % 3
    }
  }
}
active proctype P1() {
  byte x = 1;
  L0: row[1] = row[0] % 2;
  c0!(row[1] << 1) % 3;
  L1: x = 2 % 3;
  row[1] = 0;
  c1??red,row[1];
  {
    d_step {
      (true || full(c0));
      c0??s;
      x = 1 % 3;
      {
        skip;
        x = (row[0] <= 2 -> s : row[0]) % 3
      }
    }
  } unless {
    empty(c1)
  };
  g = 2
}
