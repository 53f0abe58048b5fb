// recorded: states=953 transitions=2385 verdict=assertion+invalid end state errors=7
mtype = { red, green, blue };
byte g;
byte row[2];
bool flag;
active proctype P0() priority 3 {
  byte x = 1;
  L0: row[0] = flag % 3;
  end0: (true || 2 <= g);
  assert(row[1] != 0)
}
active proctype P1() {
  byte x = 0;
  L0: flag = row[(_nr_pr) & 1] % 2;
  printf("here\n");
  L1: g = 2 % 3;
  atomic {
    true;
    byte t1;
    printm(green);
    printm(green)
  }
}
active proctype P2() {
  byte x = 0;
  L0: row[(_nr_pr) & 1] = 1;
  do
  ::
    x = (x + 1) % 3;
    do
    ::
      true;
      select (g : 0 .. 2);
      goto L1
    ::
      else;
      g = 2
    od;
    printf("here\n")
  ::
    row[1] <= 2;
    d_step {
      true
    };
    select (g : 0 .. 2)
  ::
    _nr_pr > 1;
    x = _pid % 3;
    do
    ::
      flag = flag % 2
    ::
      row[1] = _nr_pr % 2;
      x > 0;
      atomic {
        x = (x + 1) % 3;
        assert(true);
        row[(_nr_pr) & 1] = (true -> row[(_nr_pr) & 1] : row[(_nr_pr) & 1]) % 3
      }
    ::
      x = x % 3
    ::
      row[1] >= 1;
      break
    od
  ::
    (g <= 1 && x == 0);
    break
  od;
  L1: row[(_nr_pr) & 1] = 0;
  do
  ::
    row[0] < 2
  ::
    0 == row[0];
    atomic {
      {
        skip
      } unless {
        timeout;
        row[(_nr_pr) & 1] = (row[(_nr_pr) & 1] + 1) % 3
      }
    };
    g = row[0] % 3
  ::
    row[1] = (row[1] + 1) % 2;
    {
      row[(_nr_pr) & 1] = 1
    } unless {
      timeout
    }
  ::
    timeout;
    break
  od
}
