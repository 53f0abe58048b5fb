// recorded: states=24 transitions=46 verdict=invalid end state errors=1
mtype = { red, green, blue };
unsigned u : 2 = 1;
bit h[3];
chan c0 = [2] of { byte };
chan c1 = [0] of { bit, byte };
active proctype P0() {
  byte x = 1;
  L0: skip;
  c1?x,1;
  L1: h[2] = 2 % 2;
  do
  ::
    c1?eval(x),1
  ::
    break;
    goto L0
  ::
    assert(nempty(c0));
    atomic {
      break
    }
  ::
    else
  ::
    timeout;
    break
  od
}
active proctype P1() {
  L0: u = (u + 1) % 3;
  u = u % 3;
  L1: u = 1;
  c1!len(c0) % 3,len(c0) % 3
}
active proctype P2() provided ((u < 1 || nfull(c0))) {
  byte x = 1;
  L0: skip;
  {
    assert(h[2] > 0);
    goto L0
  } unless {
    (x > 0 && x <= 2);
    c1!(x | 1) % 3,_nr_pr % 3
  };
  h[2] = 0;
  d_step {
    _nr_pr > 1;
    skip;
    u = 2 % 3
  }
}
