// recorded: states=350 transitions=452 verdict=assertion+invalid end state errors=56
mtype = { red, green, blue };
mtype colour = green;
short s = -1;
chan c0 = [2] of { byte };
active [2] proctype P0() {
  L0: colour = blue;
  do
  ::
    timeout;
    if
    ::
      c0!!(s >> 1) % 3;
      s = (s + 1) % 3
    fi;
    c0!_pid % 3
  ::
    timeout;
    break
  od;
  L1: s = (s + 1) % 3;
  printm(green);
  do
  ::
    0 < s;
    assert(s != 1);
    atomic {
      if
      ::
        timeout
      ::
        1 >= s;
        c0!!!s % 3;
        printf("here\n")
      ::
        else;
        s = s % 3
      fi;
      skip;
      c0!len(c0) % 3
    }
  ::
    else;
    s = s % 3
  ::
    break
  od;
  c0!0 % 3
}
active proctype P1() {
  byte x = 1;
  chan own = [0] of { mtype, byte };
  L0: x = 2;
  !(s < 0);
  L1: x = (s << 1) % 3;
  printm(green);
  assert(x <= 1);
  {
    c0!!s % 3
  } unless {
    timeout
  };
  c0??<2>
}
