// recorded: states=306 transitions=720 verdict=none errors=0
mtype = { red, green, blue };
mtype colour = green;
byte g;
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [1] of { mtype, byte };
active proctype P0() {
  byte x = 0;
  L0: x = (pair.first >> 1) % 3;
  d_step {
    !(g == 1);
    x = 1 % 3;
    c0!!red,2 % 3
  };
  L1: pair.second[1] = (pair.second[1] + 1) % 2;
  {
    c0??[red,eval(x)]
  } unless {
    nempty(c0);
    {
      {
        c0?<red,g>
      } unless {
        c0!!green,x % 3;
        c0!!green,2 % 3
      };
      x = (x + 1) % 3;
      atomic {
        pair.first = (pair.first + 1) % 3
      }
    } unless {
      c0??[eval(colour),1];
      c0?red,eval(g)
    }
  }
}
active proctype P1() {
  byte x = 0;
  L0: pair.first = 2;
  assert(true);
  {
    atomic {
      c0?eval(colour),1;
      2 < x
    };
    for (g : 0 .. 1) {
      d_step {
        x = x % 3;
        c0!!blue,!pair.second[1] % 3;
        x = (x + 1) % 3
      }
    }
  }
}
active proctype P2() {
  L0: pair.second[1] = (pair.second[1] + 1) % 2;
  do
  ::
    !(pair.second[1] == 2);
    byte t1 = (pair.first + pair.first) % 3;
    goto L0
  ::
    timeout;
    c0!!blue,_nr_pr % 3;
    atomic {
      pair.second[1] = g % 2
    }
  od;
  L1: g = 1;
  for (g : 0 .. 1) {
    goto L1
  }
}
