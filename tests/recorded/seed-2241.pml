// recorded: states=14 transitions=13 verdict=none errors=0
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
byte row[2];
bit h[3];
chan c0 = [2] of { byte };
active proctype P0() priority 3 {
  byte x = 0;
  L0: skip;
  row[0] = (row[0] + 1) % 3;
  L1: row[(1) & 1] = 2 % 3;
  c0!!len(c0) % 3;
  row[(1) & 1] = (1 != row[0] -> row[(1) & 1] : row[(1) & 1]) % 3;
  row[1] = 1;
  printm(green)
}
active proctype P1() {
  L0: row[1] = 1 % 2;
  end0: c0?row[1];
  row[0] = (row[0] + 1) % 3;
  if
  ::
    c0!!row[1] % 3
  ::
    timeout;
    pair.first >= 0;
    c0?[1]
  fi
}
