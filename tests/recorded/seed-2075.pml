// recorded: states=484 transitions=995 verdict=assertion+invalid end state errors=20
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
mtype colour = green;
chan c0 = [1] of { byte };
active proctype P0() {
  L0: pair.second[1] = 2 % 2;
  pair.second[1] = (pair.second[1] + 1) % 2;
  L1: pair.first = !pair.second[1] % 3;
  pair.first = 1;
  {
    pair.first = pair.first % 3
  };
  do
  ::
    c0?pair.second[1];
    do
    ::
      c0??_;
      bit t1 = 1;
      {
        printf("here\n")
      } unless {
        c0?pair.second[1]
      }
    ::
      atomic {
        c0!!len(c0) % 3;
        c0!len(c0) % 3;
        c0!pair.second[1] % 3
      }
    ::
      c0!!!pair.first % 3;
      break
    od
  ::
    empty(c0);
    atomic {
      if
      ::
        pair.first = pair.first % 3
      ::
        pair.first == 1
      ::
        c0!(pair.first > 1 -> pair.second[1] : pair.second[1]) % 3;
        pair.first = 0;
        pair.second[1] = 0 % 2
      fi;
      pair.second[1] = len(c0) % 2;
      pair.second[1] = pair.first % 2;
      {
        assert((colour == colour && 1 <= pair.first))
      } unless {
        c0!pair.second[1] % 3
      }
    }
  ::
    colour == colour;
    if
    ::
      pair.second[1] = 1
    ::
      c0?pair.first
    ::
      (pair.first <= 2 && pair.second[1] < 0)
    fi;
    goto L0
  ::
    else;
    colour = blue
  od
}
active proctype P1() provided (pair.first <= 1) {
  byte x = 2;
  L0: pair.second[1] = (pair.second[1] + 1) % 2;
  pair.first = (pair.first + 1) % 3;
  L1: colour = green;
  byte t2 = !pair.first % 3
}
