// recorded: states=50 transitions=56 verdict=invalid end state errors=7
mtype = { red, green, blue };
byte g;
byte row[2];
active proctype P0() priority 2 provided ((g <= 0 || 0 < row[(_nr_pr) & 1])) {
  L0: row[0] = row[(_nr_pr) & 1] % 3;
  {
    row[(_nr_pr) & 1] = (row[(_nr_pr) & 1] + 1) % 3
  };
  L1: row[(_nr_pr) & 1] = (row[(_nr_pr) & 1] + 1) % 3;
  if
  ::
    g != 1;
    {
      row[(_nr_pr) & 1] = 0
    } unless {
      0 == row[(_nr_pr) & 1]
    };
    if
    ::
      g == 2;
      atomic {
        byte t1 = 1
      }
    ::
      row[0] = 1 % 3;
      g = (g + 1) % 3;
      for (g : 0 .. 1) {
        (row[1] <= 1 || row[1] > 1)
      }
    ::
      row[(_nr_pr) & 1] = (row[(_nr_pr) & 1] + 1) % 3
    fi
  ::
    1 == row[0];
    row[0] >= 2
  ::
    row[1] < 1
  fi;
  {
    g = (row[(_nr_pr) & 1] | 1) % 3
  };
  atomic {
    g >= 1;
    g = (g + 1) % 3
  }
}
active proctype P1() {
  byte x = 0;
  L0: row[1] = (row[1] + 1) % 2;
  if
  ::
    x = (g != 2 -> row[(_nr_pr) & 1] : g) % 3;
    row[(_nr_pr) & 1] = row[0] % 3
  ::
    row[(_nr_pr) & 1] <= 2
  ::
    timeout;
    do
    ::
      (true || g <= 1);
      atomic {
        !(x > 1);
        g = row[(_nr_pr) & 1] % 3
      }
    ::
      break
    od
  fi;
  L1: row[0] = _pid % 3;
  do
  ::
    g == 2;
    1 < row[0]
  ::
    row[1] = 1
  ::
    1 <= row[(_nr_pr) & 1];
    2 != row[1];
    row[(_nr_pr) & 1] >= 2
  ::
    else
  ::
    break
  od
}
