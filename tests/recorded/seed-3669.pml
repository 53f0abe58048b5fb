// recorded: states=36 transitions=43 verdict=assertion+invalid end state errors=10
mtype = { red, green, blue };
byte row[2];
chan c0 = [2] of { byte };
active proctype P0() provided (row[0] <= 0) {
  byte x = 0;
  L0: row[1] = 1;
  row[1] = 1 % 2;
  assert(nfull(c0));
  c0!x % 3
}
active proctype P1() priority 2 {
  L0: row[1] = !row[0] % 2;
  c0?2;
  assert(_nr_pr > 1);
  true
}
active proctype P2() {
  byte x = 1;
  L0: row[(0) & 1] = 2 % 3;
  {
    assert(row[1] == 0);
    row[0] = 0
  } unless {
    row[1] <= 0;
    do
    ::
      0 != x;
      c0!!row[0] % 3;
      printm(green)
    ::
      0 != row[0];
      x = 0 % 3
    ::
      row[1] <= 1;
      break
    od
  };
  L1: row[(0) & 1] = 0;
  row[(0) & 1] = (row[0] > 0 -> row[(0) & 1] : row[1]) % 3
}
