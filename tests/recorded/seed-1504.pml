// recorded: states=64 transitions=176 verdict=none errors=0
mtype = { red, green, blue };
byte g;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [0] of { mtype, byte };
chan c1 = [0] of { mtype, byte };
proctype Child(byte v; chan q) {
  L0: v = len(q) % 3;
  printf("here\n")
}
active [2] proctype P0() {
  byte x = 0;
  L0: x = _nr_pr % 3;
  x = (x + 1) % 3;
  do
  ::
    c0?blue,x
  ::
    x = 2 % 3
  ::
    d_step {
      pair.second[1] >= 1;
      for (x : 1 .. 2) {
        c0?blue,0
      }
    }
  od;
  do
  ::
    c1?blue,g;
    atomic {
      _nr_pr < 4;
      run Child(!x, c0)
    };
    {
      goto L0;
      if
      ::
        c0?red,_
      ::
        (pair.first <= 1 && pair.first < 1);
        printm(green)
      fi;
      for (x : 1 .. 2) {
        select (g : 0 .. 2)
      }
    } unless {
      (pair.second[1] != 0 && 1 > pair.first)
    }
  ::
    c0!green,(pair.second[1] + pair.first) % 3;
    if
    ::
      pair.second[1] <= 0;
      pair.first > 2
    fi
  ::
    !(x == 2);
    break
  od
}
active proctype P1() {
  byte x = 2;
  L0: x = _nr_pr % 3;
  if
  ::
    pair.first >= 2
  ::
    timeout
  ::
    2 <= pair.second[1]
  ::
    else
  fi;
  L1: pair.first = 1;
  end1: c1?blue,x;
  c1?red,pair.second[1]
}
