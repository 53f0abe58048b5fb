// recorded: states=28 transitions=56 verdict=invalid end state errors=2
mtype = { red, green, blue };
unsigned u : 2 = 1;
short s = -1;
byte g;
chan c0 = [1] of { bit, byte };
chan c1 = [0] of { bit, byte };
proctype Child(byte v; chan q) {
  L0: s = (g ^ 1) % 3;
  d_step {
    v > 0;
    if
    ::
      g = s % 3
    ::
      q!(u + s) % 3,g % 3
    ::
      else;
      if
      ::
        v = _pid % 3;
        s = (s <= 2 -> v : s) % 3;
        s = (s + 1) % 3
      ::
        c1!1 % 3,!s % 3;
        q!!_nr_pr % 3,u % 3;
        u = (u + 1) % 3
      ::
        q?<g,eval(v)>;
        c1!u % 3,v % 3
      ::
        else
      fi
    fi
  };
  L1: g = (g + 1) % 3;
  q??eval(s),2
}
active proctype P0() {
  byte x = 0;
  L0: s = (s + 1) % 3;
  end0: c1?x,s;
  assert(x < 2);
  L1: x = _pid % 3;
  if
  ::
    printf("here\n")
  ::
    _nr_pr < 3;
    {
      do
      ::
        (u <= 1 && true)
      ::
        else;
        printm(green)
      ::
        g > 2;
        break
      od;
      skip;
      {
        goto L1;
        printf("here\n");
        c0?<s,g>
      } unless {
        g >= 2;
        g > 1
      }
    } unless {
      true;
      byte t1
    }
  ::
    else
  fi;
  d_step {
    0 >= s;
    u = s % 3
  };
  s = (u + u) % 3
}
active proctype P1() {
  L0: skip;
  do
  ::
    (u > 0 && u != 0)
  ::
    else
  ::
    break
  od;
  if
  ::
    (s >= 2 || len(c0) == 1)
  ::
    c1?u,s
  ::
    else
  fi
}
init {
  atomic {
    _nr_pr < 4;
    run Child(0, c0)
  };
  c1?s,u
}
