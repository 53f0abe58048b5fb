// recorded: states=54 transitions=82 verdict=assertion+invalid end state errors=22
mtype = { red, green, blue };
byte row[2];
chan c0 = [1] of { mtype, byte };
chan c1 = [1] of { mtype };
proctype Child(byte v; chan q) {
  L0: row[1] = row[0] % 2;
  end0: c1?red;
  row[(2) & 1] = 1
}
active proctype P0() {
  L0: skip;
  assert(c0?[blue,2]);
  L1: row[1] = 1;
  c0!red,row[(2) & 1] % 3;
  assert(row[(2) & 1] > 2)
}
active [2] proctype P1() priority 3 {
  L0: skip;
  c1?green;
  L1: skip;
  row[(2) & 1] = 0
}
active proctype P2() {
  byte x = 0;
  L0: row[0] = row[1] % 3;
  !(row[0] == 1);
  L1: x = (x + 1) % 3;
  skip;
  row[(2) & 1] = (row[(2) & 1] + 1) % 3
}
