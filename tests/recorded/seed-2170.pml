// recorded: states=325 transitions=845 verdict=assertion+invalid end state errors=26
mtype = { red, green, blue };
unsigned u : 2 = 1;
chan c0 = [0] of { byte };
chan c1 = [2] of { mtype, byte };
proctype Child(byte v; chan q) {
  L0: u = 0;
  printf("here\n")
}
active proctype P0() {
  byte x = 1;
  L0: x = 2 % 3;
  if
  ::
    c0?u;
    u = 1
  ::
    d_step {
      skip
    };
    {
      assert((x != 2 || full(c1)))
    } unless {
      c0!x % 3
    }
  ::
    do
    ::
      u <= 2;
      do
      ::
        c1!red,0 % 3
      ::
        else;
        c1?_,x
      ::
        u > 1;
        break
      od
    ::
      c0?u;
      break
    od;
    do
    ::
      x >= 1
    ::
      d_step {
        true;
        x = 1 % 3;
        assert(x != 2)
      };
      u = (u + 1) % 3
    ::
      else;
      skip
    od
  fi;
  L1: x = 0;
  _nr_pr > 1
}
active [2] proctype P1() {
  byte x = 2;
  L0: x = 2 % 3;
  atomic {
    {
      assert(true);
      {
        x = (x + 1) % 3
      }
    } unless {
      u < 1;
      c0?_
    }
  };
  x = (x + 1) % 3;
  x = 0 % 3
}
init {
  atomic {
    _nr_pr < 4;
    run Child((u * 1), c0)
  };
  {
    skip
  } unless {
    c1?blue,u;
    skip
  }
}
