// recorded: states=31 transitions=33 verdict=invalid end state errors=6
mtype = { red, green, blue };
unsigned u : 2 = 1;
chan c0 = [1] of { mtype, byte };
proctype Child(byte v) {
  byte x = 0;
  L0: u = (u + 1) % 3;
  atomic {
    v = (v + 1) % 3;
    u = 0
  };
  do
  ::
    timeout
  ::
    !(1 < x)
  ::
    x <= 0;
    u = 1 % 3;
    break
  od
}
active [2] proctype P0() {
  byte x = 1;
  L0: u = !x % 3;
  c0!!red,u % 3;
  L1: u = 2 % 3;
  do
  ::
    timeout;
    break;
    do
    ::
      c0!red,(x | 1) % 3;
      for (x : 1 .. 2) {
        u = x % 3
      }
    ::
      _nr_pr < 3;
      if
      ::
        timeout;
        (x >= 0 && 0 <= u)
      ::
        c0?green,x
      ::
        !(true)
      ::
        else;
        c0?blue,eval(x)
      fi;
      if
      ::
        c0?red,2;
        c0!!red,1 % 3
      ::
        else
      fi
    ::
      x != 2
    ::
      break
    od
  od;
  if
  ::
    c0!blue,_nr_pr % 3
  ::
    u = u % 3;
    x = 2
  ::
    u <= 0;
    skip
  ::
    else;
    printm(green)
  fi
}
active proctype P1() priority 3 {
  byte x = 2;
  L0: skip;
  c0??blue,x;
  atomic {
    skip
  };
  byte t1 = 1;
  atomic {
    {
      t1 = (x ^ 1) % 2
    }
  };
  !(x >= 0)
}
