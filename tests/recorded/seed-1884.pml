// recorded: states=317 transitions=628 verdict=assertion+invalid end state errors=29
mtype = { red, green, blue };
unsigned u : 2 = 1;
byte g;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [1] of { bit, byte };
active [2] proctype P0() {
  byte x = 0;
  L0: skip;
  if
  ::
    pair.second[1] = 0;
    atomic {
      c0?0,pair.second[1];
      {
        skip;
        printf("here\n")
      } unless {
        c0??0,2
      };
      pair.second[1] = (pair.first <= 0 -> pair.first : g) % 2
    };
    if
    ::
      c0?eval(g),u;
      for (x : 1 .. 2) {
        printf("here\n")
      }
    ::
      x = 1
    fi
  ::
    timeout
  ::
    c0!g % 3,0 % 3;
    atomic {
      printm(green);
      assert(true);
      assert((1 <= pair.second[1] || empty(c0)))
    }
  fi;
  L1: pair.second[1] = 1 % 2;
  c0!(pair.second[1] + pair.first) % 3,0 % 3
}
active proctype P1() {
  byte x = 1;
  L0: x = u % 3;
  do
  ::
    pair.first != 0
  ::
    break
  od;
  c0?x,2;
  {
    c0?pair.first,eval(g);
    do
    ::
      c0??[2,2];
      pair.first = 1;
      c0!len(c0) % 3,2 % 3
    ::
      g < 1;
      break
    od
  }
}
