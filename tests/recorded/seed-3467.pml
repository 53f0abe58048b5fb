// recorded: states=46 transitions=48 verdict=assertion+invalid end state errors=2
mtype = { red, green, blue };
bit h[3];
chan c0 = [2] of { byte };
active proctype P0() priority 3 {
  byte x = 0;
  L0: skip;
  if
  ::
    {
      {
        h[2] = 1 % 2
      };
      c0!!len(c0) % 3;
      atomic {
        x = (x + 1) % 3;
        h[2] = x % 2;
        x = (x + 1) % 3;
        x = 0
      }
    } unless {
      c0??h[2];
      assert(h[2] != 0)
    };
    atomic {
      c0!(h[2] != 2 -> h[2] : h[2]) % 3;
      {
        skip
      } unless {
        c0??h[2];
        c0?h[2]
      }
    }
  ::
    1 > x;
    x = (x + 1) % 3
  ::
    do
    ::
      c0??[0];
      d_step {
        (h[2] == 0 || empty(c0));
        c0??1
      }
    ::
      h[2] = 0 % 2;
      h[2] = 1 % 2;
      {
        printm(green);
        h[2] = 1 % 2;
        c0?<eval(h[2])>
      } unless {
        (x == 1 && x <= 2)
      }
    od;
    h[2] = 1 % 2
  fi;
  L1: x = (2 != h[2] -> x : h[2]) % 3;
  do
  ::
    c0?x;
    goto L1;
    printm(green)
  ::
    x = 1 % 3;
    do
    ::
      x != 1
    ::
      else;
      d_step {
        0 != x;
        x = (x + 1) % 3
      }
    ::
      c0??1;
      break
    od
  ::
    0 == x;
    atomic {
      c0??1;
      h[2] = (h[2] < 1 -> h[2] : x) % 2;
      c0??eval(h[2])
    };
    x = 1 % 3
  ::
    else
  ::
    (h[2] <= 1 || full(c0));
    break
  od
}
active proctype P1() {
  L0: h[2] = 1 % 2;
  c0!(h[2] >= 0 -> h[2] : h[2]) % 3;
  L1: h[2] = (h[2] + 1) % 2;
  h[2] = 0
}
