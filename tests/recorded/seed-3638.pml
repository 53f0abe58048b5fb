// recorded: states=16 transitions=22 verdict=none errors=0
mtype = { red, green, blue };
byte row[2];
typedef Pair { byte first; bit second[2] }; Pair pair;
byte g;
chan c0 = [0] of { byte };
chan c1 = [1] of { mtype, byte };
proctype Child(byte v; chan q) {
  byte x = 0;
  L0: row[0] = 2;
  q!pair.second[1] % 3;
  L1: row[(_nr_pr) & 1] = 1 % 3;
  c1?green,0
}
active proctype P0() provided (row[0] <= 2) {
  byte x = 2;
  L0: g = (row[1] >= 1 -> row[(_nr_pr) & 1] : row[(_nr_pr) & 1]) % 3;
  end0: c0?g;
  if
  ::
    timeout;
    c0!(x + row[1]) % 3;
    if
    ::
      (true && true);
      do
      ::
        _nr_pr < 3;
        c1?blue,0;
        _nr_pr < 3
      ::
        timeout;
        break
      od
    ::
      (pair.second[1] < 2 && pair.second[1] == 2)
    ::
      !(1 >= pair.first);
      row[1] = 0;
      pair.first = (pair.first + 1) % 3
    fi
  fi
}
active proctype P1() {
  L0: row[0] = row[1] % 3;
  atomic {
    select (g : 0 .. 2)
  }
}
