// recorded: states=15 transitions=14 verdict=invalid end state errors=2
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
short s = -1;
chan c0 = [2] of { mtype, byte };
proctype Child(byte v; chan q) {
  L0: pair.first = (pair.first + 1) % 3;
  byte t1 = 1
}
active proctype P0() priority 2 {
  byte x = 1;
  L0: x = (x + 1) % 3;
  pair.first = !pair.second[1] % 3
}
active proctype P1() priority 3 {
  L0: s = (s + 1) % 3;
  if
  ::
    c0!green,pair.second[1] % 3
  ::
    pair.first <= 1;
    atomic {
      if
      ::
        c0?blue,_;
        c0?blue,pair.first;
        c0!!green,_nr_pr % 3
      ::
        0 == pair.first
      ::
        s = _pid % 3
      ::
        else
      fi;
      c0?blue,eval(s);
      byte t2
    }
  fi;
  pair.first = len(c0) % 3
}
