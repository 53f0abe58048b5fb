// recorded: states=8 transitions=12 verdict=invalid end state errors=1
mtype = { red, green, blue };
byte g;
bool flag;
chan c0 = [1] of { mtype, byte };
proctype Child(byte v; chan q) {
  L0: g = 2 % 3;
  assert(len(c0) == 1);
  q!!blue,!flag % 3
}
active proctype P0() provided (flag < 2) {
  byte x = 0;
  L0: x = (x + 1) % 3;
  d_step {
    nempty(c0);
    assert(x != 0);
    c0?red,g
  };
  L1: flag = (flag + flag) % 2;
  if
  ::
    c0??red,1;
    do
    ::
      break
    ::
      c0?red,eval(x);
      g = flag % 3;
      if
      ::
        true
      ::
        g >= 2;
        c0?<red,g>
      ::
        break;
        skip
      fi
    od
  fi
}
active proctype P1() {
  L0: g = (0 >= flag -> flag : flag) % 3;
  c0?green,2;
  L1: g = g % 3;
  true;
  g = 1
}
active proctype P2() {
  chan own = [0] of { byte };
  L0: flag = flag % 2;
  end0: c0?<green,0>;
  own?1
}
init {
  atomic {
    _nr_pr < 4;
    run Child(g, c0)
  };
  {
    g = (g + 1) % 3
  } unless {
    c0?_,1;
    atomic {
      if
      ::
        c0!!blue,2 % 3;
        c0!!red,1 % 3
      ::
        c0!red,0 % 3
      fi;
      c0!blue,1 % 3;
      true
    }
  }
}
