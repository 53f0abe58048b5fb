// recorded: states=41 transitions=53 verdict=invalid end state errors=3
mtype = { red, green, blue };
byte row[2];
typedef Pair { byte first; bit second[2] }; Pair pair;
byte g;
chan c0 = [1] of { byte };
proctype Child(byte v; chan q) {
  L0: pair.second[1] = 0;
  if
  ::
    byte t1 = 1 % 3
  fi
}
active proctype P0() {
  L0: pair.first = (pair.first + 1) % 3;
  if
  ::
    atomic {
      skip
    };
    skip
  ::
    else;
    skip
  fi;
  L1: pair.second[1] = 0;
  c0!(row[0] <= 1 -> pair.second[1] : g) % 3
}
active proctype P1() {
  byte x = 2;
  L0: row[(_nr_pr) & 1] = (row[(_nr_pr) & 1] + 1) % 3;
  pair.second[1] = 0;
  L1: pair.second[1] = (pair.second[1] + 1) % 2;
  c0??<x>;
  if
  ::
    2 != pair.first;
    true
  ::
    else;
    byte t2
  fi;
  if
  ::
    c0?2;
    byte t3 = pair.second[1] % 3
  ::
    full(c0);
    if
    ::
      c0??[0];
      c0?<1>;
      atomic {
        row[1] = 1;
        c0?[0];
        select (g : 0 .. 2);
        printf("here\n")
      }
    fi
  fi;
  goto L0
}
