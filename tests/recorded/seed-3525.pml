// recorded: states=37 transitions=57 verdict=invalid end state errors=2
mtype = { red, green, blue };
byte g;
typedef Pair { byte first; bit second[2] }; Pair pair;
unsigned u : 2 = 1;
chan c0 = [1] of { byte };
chan c1 = [0] of { byte };
active [2] proctype P0() provided (_nr_pr < 3) {
  byte x = 1;
  L0: pair.second[1] = pair.first % 2;
  printm(green);
  x = 1 % 3;
  0 == g
}
active proctype P1() {
  byte x = 0;
  chan own = [2] of { byte };
  L0: u = 0 % 3;
  pair.second[1] = 0;
  L1: x = (u <= 2 -> u : g) % 3;
  x == 2;
  pair.first = u % 3
}
active proctype P2() {
  byte x = 1;
  L0: skip;
  for (g : 0 .. 1) {
    c0!(u + u) % 3
  };
  for (x : 1 .. 2) {
    skip
  }
}
