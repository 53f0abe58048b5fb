// recorded: states=158 transitions=326 verdict=invalid end state errors=1
mtype = { red, green, blue };
byte g;
chan c0 = [1] of { mtype, byte };
chan c1 = [1] of { bit, byte };
proctype Child(byte v) {
  byte x = 1;
  L0: skip;
  c1!!0 % 3,_pid % 3;
  L1: v = v % 3;
  d_step {
    printm(green)
  }
}
active proctype P0() {
  byte x = 1;
  L0: g = 2;
  atomic {
    {
      {
        goto L0
      } unless {
        c1??x,g
      };
      c0!!red,!g % 3
    } unless {
      c0?red,x;
      {
        skip;
        c0!green,1 % 3;
        1 == g
      } unless {
        g = 0 % 3;
        c1!x % 3,len(c0) % 3
      }
    };
    g = 1;
    g = (g >= 2 -> g : x) % 3
  };
  do
  ::
    c1!!0 % 3,1 % 3
  ::
    do
    ::
      c0?green,0;
      {
        select (g : 0 .. 2)
      } unless {
        g = 2;
        x = 0 % 3
      }
    ::
      nfull(c0)
    ::
      c0??[green,0];
      break
    od
  ::
    c1!0 % 3,len(c1) % 3;
    if
    ::
      nempty(c0)
    ::
      nempty(c0);
      c0?blue,eval(x)
    ::
      x >= 1;
      break
    fi;
    atomic {
      {
        c1?eval(g),0
      };
      goto L0;
      assert(g >= 2);
      c0?red,x
    }
  ::
    break
  od
}
active proctype P1() priority 2 {
  byte x = 2;
  L0: g = 1;
  if
  ::
    c0?green,x
  ::
    goto L1
  fi;
  L1: skip;
  g = _pid % 3;
  g = (g + 1) % 3
}
init {
  atomic {
    _nr_pr < 4;
    run Child(1)
  };
  true
}
