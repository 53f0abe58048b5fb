// recorded: states=12 transitions=11 verdict=invalid end state errors=1
mtype = { red, green, blue };
bit h[3];
unsigned u : 2 = 1;
proctype Child(byte v) {
  L0: skip;
  end0: (2 <= h[2] && 1 < h[2]);
  u = v % 3
}
active proctype P0() {
  byte x = 1;
  L0: skip;
  h[2] = (u + h[2]) % 2;
  true;
  if
  ::
    1 < x
  ::
    else;
    atomic {
      h[2] > 1;
      u = 1
    }
  fi;
  if
  ::
    h[2] = 0 % 2;
    atomic {
      u = 2;
      x = (x + 1) % 3;
      x != 1
    }
  ::
    else;
    atomic {
      h[2] = 0;
      {
        skip
      } unless {
        x > 2
      };
      if
      ::
        x > 1;
        x = 0 % 3
      fi
    }
  fi;
  x == 0
}
active proctype P1() priority 2 {
  byte x = 0;
  L0: x = 0 % 3;
  u = (u + 1) % 3;
  L1: u = u % 3;
  h[2] = h[2] % 2;
  x = 0 % 3;
  skip
}
