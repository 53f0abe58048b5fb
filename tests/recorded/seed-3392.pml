// recorded: states=27 transitions=48 verdict=invalid end state errors=2
mtype = { red, green, blue };
bool flag;
typedef Pair { byte first; bit second[2] }; Pair pair;
byte g;
chan c0 = [0] of { byte };
chan c1 = [1] of { mtype };
proctype Child(byte v) {
  byte x = 2;
  L0: flag = (flag + 1) % 2;
  end0: c0?1;
  c0?_;
  L1: x = x % 3;
  v = (v + 1) % 3
}
active proctype P0() provided (pair.first == 0) {
  byte x = 2;
  L0: pair.second[1] = 0;
  pair.first = (flag >> 1) % 3;
  L1: pair.first = 1;
  select (g : 0 .. 2)
}
active proctype P1() {
  byte x = 1;
  L0: g = !pair.first % 3;
  c1??green;
  if
  ::
    c1?blue
  ::
    1 >= pair.first
  ::
    !(pair.first != 2);
    skip;
    byte t1 = 1
  ::
    else;
    pair.second[1] <= 0
  fi;
  c0?g;
  do
  ::
    full(c1)
  ::
    0 >= flag;
    break
  od;
  do
  ::
    pair.first = 2;
    c1??[red];
    select (g : 0 .. 2)
  ::
    !(pair.second[1] >= 1)
  ::
    break
  od
}
init {
  atomic {
    _nr_pr < 4;
    run Child(len(c0))
  };
  atomic {
    _nr_pr < 4;
    run Child(1)
  }
}
