// recorded: states=23 transitions=30 verdict=invalid end state errors=4
mtype = { red, green, blue };
bool flag;
typedef Pair { byte first; bit second[2] }; Pair pair;
unsigned u : 2 = 1;
chan c0 = [1] of { mtype, byte };
chan c1 = [2] of { byte };
active proctype P0() {
  byte x = 2;
  L0: flag = (flag + 1) % 2;
  {
    pair.second[1] = (pair.second[1] + 1) % 2;
    atomic {
      c1??x
    }
  } unless {
    len(c1) == 1
  };
  L1: u = u % 3;
  c1!pair.second[1] % 3
}
active proctype P1() priority 2 {
  L0: u = (0 < pair.first -> pair.first : u) % 3;
  c0?blue,flag;
  L1: skip;
  bit t1 = 1
}
active [2] proctype P2() {
  byte x = 2;
  L0: x = flag % 3;
  end0: c1?_;
  printm(green);
  x = 0 % 3
}
