// recorded: states=2016 transitions=4521 verdict=invalid end state errors=132
mtype = { red, green, blue };
short s = -1;
unsigned u : 2 = 1;
chan c0 = [1] of { mtype, byte };
chan c1 = [2] of { byte };
proctype Child(byte v; chan q) {
  L0: u = (u << 1) % 3;
  v <= 1;
  L1: s = (u + s) % 3;
  do
  ::
    timeout;
    skip;
    u = 0
  ::
    q??blue,eval(s);
    v = 0 % 3;
    if
    ::
      c0?[red,1]
    fi
  ::
    true;
    u = u % 3
  ::
    else
  ::
    c0?red,s;
    break
  od
}
active proctype P0() {
  byte x = 2;
  L0: s = u % 3;
  end0: c0?green,s;
  byte t1;
  L1: t1 = 2 % 2;
  x = u % 3
}
active proctype P1() {
  byte x = 0;
  L0: x = (x + 1) % 3;
  u = (u + 1) % 3;
  L1: u = 0 % 3;
  atomic {
    _nr_pr < 4;
    run Child(2, c0)
  }
}
active proctype P2() {
  L0: u = _nr_pr % 3;
  s = 1;
  L1: u = (2 == u -> u : u) % 3;
  do
  ::
    (s == 0 || nfull(c0));
    atomic {
      {
        c1?2
      } unless {
        !(s <= 0);
        c1!!s % 3
      }
    }
  ::
    c1??_;
    {
      {
        c0!!blue,_pid % 3
      } unless {
        _nr_pr > 1
      };
      do
      ::
        timeout;
        c1!!0 % 3
      ::
        (u >= 2 && 0 >= u);
        skip;
        c1?eval(s)
      od
    } unless {
      u > 2
    }
  ::
    s = (s + 1) % 3
  ::
    else
  ::
    nfull(c0);
    break
  od
}
