// recorded: states=92 transitions=124 verdict=invalid end state errors=2
mtype = { red, green, blue };
byte row[2];
byte g;
chan c0 = [1] of { byte };
active proctype P0() {
  byte x = 2;
  L0: row[1] = (row[1] + 1) % 2;
  row[0] = !row[0] % 3;
  L1: row[0] = row[1] % 3;
  do
  ::
    true;
    do
    ::
      c0!(row[(row[0]) & 1] >> 1) % 3;
      atomic {
        c0?x;
        x <= 0
      };
      c0!0 % 3
    ::
      1 > x;
      break
    od;
    atomic {
      c0!!row[(row[0]) & 1] % 3;
      assert(2 >= row[1]);
      1 == row[1]
    }
  od;
  do
  ::
    timeout;
    skip
  ::
    d_step {
      for (x : 1 .. 2) {
        break
      };
      g = x % 3
    };
    do
    ::
      row[0] < 2;
      do
      ::
        c0!_pid % 3;
        c0!row[0] % 3;
        select (g : 0 .. 2)
      ::
        break
      od;
      printm(green)
    ::
      break
    ::
      c0!x % 3;
      break
    od
  ::
    g = 0;
    break
  od
}
active proctype P1() provided (row[1] != 0) {
  byte x = 1;
  L0: row[0] = 0;
  if
  ::
    c0?0;
    byte t1 = x % 3;
    do
    ::
      row[1] = row[1] % 2;
      c0?0;
      skip
    ::
      else;
      row[1] = (row[1] == 2 -> g : row[1]) % 2
    od
  ::
    true
  fi;
  row[(row[0]) & 1] = row[(row[0]) & 1] % 3;
  atomic {
    x = 0 % 3
  }
}
active proctype P2() priority 2 {
  byte x = 0;
  L0: row[(row[0]) & 1] = 0 % 3;
  c0?x;
  {
    c0!len(c0) % 3;
    atomic {
      c0!x % 3;
      if
      ::
        c0!x % 3;
        c0??<eval(row[0])>
      fi;
      d_step {
        x <= 0
      }
    }
  } unless {
    (g <= 0 && 0 != row[1])
  };
  c0!2 % 3
}
