// recorded: states=67 transitions=152 verdict=invalid end state errors=1
mtype = { red, green, blue };
byte row[2];
byte g;
chan c0 = [2] of { mtype, byte };
active proctype P0() provided (len(c0) == 1) {
  L0: row[(_nr_pr) & 1] = 1;
  c0!blue,2 % 3;
  if
  ::
    (row[(_nr_pr) & 1] >= 0 || full(c0))
  fi;
  {
    assert(row[0] >= 0);
    {
      {
        skip;
        c0!!blue,(row[0] < 1 -> row[1] : row[1]) % 3;
        assert(c0?[green,2])
      } unless {
        timeout;
        row[1] = (row[1] + 1) % 2
      }
    } unless {
      c0?<blue,eval(row[1])>
    }
  }
}
active [2] proctype P1() {
  byte x = 2;
  L0: x = 0 % 3;
  g = 1;
  L1: row[1] = 2 % 2;
  do
  ::
    !(true);
    c0!red,0 % 3;
    row[(_nr_pr) & 1] = (row[(_nr_pr) & 1] + 1) % 3
  ::
    1 > row[(_nr_pr) & 1]
  od
}
active proctype P2() priority 2 {
  L0: row[1] = (row[1] + 1) % 2;
  c0!green,0 % 3;
  L1: row[0] = 1 % 3;
  g = (g + 1) % 3
}
