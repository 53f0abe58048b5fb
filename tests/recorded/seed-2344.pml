// recorded: states=140 transitions=312 verdict=invalid end state errors=6
mtype = { red, green, blue };
mtype colour = green;
byte g;
chan c0 = [0] of { byte };
chan c1 = [2] of { mtype, byte };
active proctype P0() {
  byte x = 0;
  L0: colour = red;
  if
  ::
    2 <= x
  ::
    _nr_pr > 1;
    g = len(c1) % 3;
    d_step {
      c1??[blue,1];
      colour = red
    }
  ::
    c1!green,2 % 3;
    c0?g
  fi;
  {
    byte t1
  } unless {
    (colour == colour || nempty(c1))
  };
  x = len(c0) % 3
}
active proctype P1() {
  byte x = 0;
  L0: x = (x + 1) % 3;
  end0: c1?eval(colour),eval(x);
  bit t2 = 1;
  L1: colour = colour;
  if
  ::
    t2 < 2
  fi
}
active proctype P2() {
  byte x = 0;
  L0: g = _nr_pr % 3;
  select (g : 0 .. 2);
  L1: g = (g + 1) % 3;
  g = (x + g) % 3
}
