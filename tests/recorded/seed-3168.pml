// recorded: states=39 transitions=58 verdict=invalid end state errors=2
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
chan c0 = [1] of { bit, byte };
active proctype P0() {
  byte x = 1;
  L0: pair.second[1] = (pair.second[1] + 1) % 2;
  x = len(c0) % 3;
  pair.second[1] = 1
}
active proctype P1() priority 3 {
  byte x = 1;
  L0: pair.second[1] = len(c0) % 2;
  do
  ::
    timeout;
    pair.second[1] = 2 % 2;
    atomic {
      c0!!1 % 3,_pid % 3;
      for (x : 1 .. 2) {
        pair.first = (pair.first + 1) % 3
      };
      {
        x = pair.second[1] % 3;
        pair.first = 0 % 3
      };
      pair.second[1] = 1
    }
  od
}
active proctype P2() {
  L0: pair.second[1] = pair.second[1] % 2;
  do
  ::
    c0!!pair.first % 3,0 % 3
  ::
    c0?pair.first,_
  ::
    nempty(c0);
    break
  od;
  L1: pair.second[1] = pair.first % 2;
  c0!(pair.first + pair.second[1]) % 3,pair.second[1] % 3;
  atomic {
    pair.first = 1
  }
}
