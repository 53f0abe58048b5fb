// recorded: states=1027 transitions=3028 verdict=assertion+invalid end state errors=875
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
byte row[2];
byte g;
chan c0 = [2] of { byte };
active proctype P0() {
  byte x = 2;
  L0: row[(_nr_pr) & 1] = 2 % 3;
  do
  ::
    printf("here\n")
  ::
    row[(_nr_pr) & 1] >= 0;
    c0?row[0]
  ::
    else;
    c0!row[0] % 3
  ::
    c0?<_>;
    break
  od
}
active [2] proctype P1() provided ((true || c0?[1])) {
  byte x = 0;
  L0: skip;
  (row[1] > 1 || c0??[1]);
  L1: row[0] = (row[0] + 1) % 3;
  atomic {
    if
    ::
      timeout
    ::
      if
      ::
        (row[0] > 0 && x >= 0);
        c0!row[0] % 3
      ::
        skip
      fi
    ::
      (1 == pair.first || nfull(c0));
      skip;
      goto L1
    fi;
    skip;
    for (g : 0 .. 1) {
      assert(!(pair.second[1] >= 0))
    }
  }
}
active proctype P2() {
  L0: pair.second[1] = (pair.second[1] + 1) % 2;
  atomic {
    g = row[0] % 3;
    {
      g = (g + 1) % 3
    } unless {
      _nr_pr > 1;
      c0!0 % 3
    };
    printf("here\n")
  }
}
