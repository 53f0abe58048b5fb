// recorded: states=450 transitions=1191 verdict=none errors=0
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
byte g;
mtype colour = green;
chan c0 = [2] of { mtype };
proctype Child(byte v; chan q) {
  byte x = 1;
  L0: pair.first = !v % 3;
  printm(green);
  L1: x = (pair.second[1] * 1) % 3;
  x = 1
}
active proctype P0() {
  byte x = 0;
  L0: g = 0 % 3;
  if
  ::
    c0?colour
  ::
    c0??blue
  ::
    for (g : 0 .. 1) {
      byte t1
    }
  fi
}
active proctype P1() {
  byte x = 1;
  L0: g = (1 >= pair.second[1] -> g : pair.second[1]) % 3;
  end0: c0?colour;
  if
  ::
    c0??green;
    _nr_pr > 1;
    c0!!red
  fi
}
init {
  atomic {
    _nr_pr < 4;
    run Child((pair.first + g), c0)
  };
  if
  ::
    pair.second[1] = len(c0) % 2
  fi
}
