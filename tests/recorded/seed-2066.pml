// recorded: states=19 transitions=28 verdict=invalid end state errors=1
mtype = { red, green, blue };
bool flag;
unsigned u : 2 = 1;
chan c0 = [1] of { byte };
chan c1 = [2] of { byte };
active proctype P0() {
  byte x = 0;
  L0: u = (u + 1) % 3;
  d_step {
    full(c0);
    flag = (flag + 1) % 2
  };
  L1: flag = _nr_pr % 2;
  {
    bit t1 = 1;
    if
    ::
      c0??u
    ::
      true;
      c0?t1;
      c1!(u - 1) % 3
    ::
      d_step {
        _nr_pr < 3;
        flag = (flag + 1) % 2;
        flag = (flag + 1) % 2
      };
      atomic {
        c0?x
      }
    fi;
    c0?<t1>
  } unless {
    2 == x
  }
}
active [2] proctype P1() priority 2 {
  L0: skip;
  u = 1;
  c1!2 % 3
}
active proctype P2() {
  byte x = 2;
  L0: x = 2;
  end0: c0?flag;
  nfull(c0);
  do
  ::
    if
    ::
      c1?x
    fi;
    byte t2 = 2 % 3
  ::
    else;
    atomic {
      if
      ::
        c1?0;
        assert((flag >= 2 && flag > 2));
        c1?eval(flag)
      ::
        x >= 2
      ::
        else;
        c0!!2 % 3
      fi;
      u = 1;
      u = (flag <= 0 -> u : x) % 3;
      x = flag % 3
    }
  ::
    flag < 2;
    break
  od
}
