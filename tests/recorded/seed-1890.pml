// recorded: states=64 transitions=140 verdict=invalid end state errors=4
mtype = { red, green, blue };
typedef Pair { byte first; bit second[2] }; Pair pair;
short s = -1;
chan c0 = [1] of { mtype };
chan c1 = [0] of { mtype };
proctype Child(byte v) {
  byte x = 0;
  L0: pair.second[1] = 1;
  end0: c0?red;
  skip;
  L1: s = 1;
  d_step {
    2 < pair.first
  }
}
active proctype P0() provided (pair.first <= 0) {
  L0: s = pair.first % 3;
  pair.second[1] = 1;
  atomic {
    {
      skip;
      c0!red
    };
    if
    ::
      c1!green;
      c0??red
    fi
  };
  {
    c0!!green
  } unless {
    c1?_;
    atomic {
      if
      ::
        printm(green)
      fi
    }
  }
}
active [2] proctype P1() {
  L0: pair.first = 1;
  end0: c1?blue;
  {
    2 == pair.second[1]
  } unless {
    pair.first = 2
  };
  atomic {
    c0?green
  }
}
active [2] proctype P2() {
  byte x = 0;
  L0: skip;
  c1!green;
  L1: pair.first = 0;
  c0?blue;
  if
  ::
    x > 0;
    do
    ::
      printf("here\n")
    ::
      else
    ::
      break
    od
  ::
    c0?red;
    pair.first = 0 % 3;
    if
    ::
      c0?blue;
      c1?red;
      d_step {
        _nr_pr < 3;
        pair.second[1] = 1 % 2;
        assert(c0??[blue])
      }
    ::
      c1?green
    ::
      pair.second[1] != 2
    fi
  ::
    skip
  ::
    else;
    x = 0 % 3
  fi
}
init {
  atomic {
    _nr_pr < 4;
    run Child(0)
  };
  {
    atomic {
      c0?<red>
    }
  } unless {
    timeout;
    atomic {
      _nr_pr < 4;
      run Child(s)
    }
  }
}
