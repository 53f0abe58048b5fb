// recorded: states=8 transitions=12 verdict=invalid end state errors=1
mtype = { red, green, blue };
bool flag;
chan c0 = [2] of { mtype, byte };
proctype Child(byte v; chan q) {
  L0: flag = (flag + 1) % 2;
  flag = 1 % 2
}
active proctype P0() {
  byte x = 1;
  L0: x = 1;
  d_step {
    c0??red,0
  };
  L1: x = 2;
  {
    c0!blue,0 % 3;
    atomic {
      _nr_pr < 4;
      run Child(1, c0)
    };
    do
    ::
      c0??<blue,x>;
      c0?blue,x;
      {
        assert(flag <= 0)
      }
    ::
      else;
      if
      ::
        x = 2 % 3;
        c0!green,2 % 3;
        break
      ::
        c0!!green,2 % 3;
        c0!green,1 % 3
      ::
        timeout;
        c0!red,1 % 3;
        c0?green,0
      fi
    od
  } unless {
    (flag < 1 || len(c0) == 1)
  };
  {
    atomic {
      c0!green,!x % 3
    };
    c0?red,0
  } unless {
    flag > 0;
    if
    ::
      c0??blue,2
    ::
      {
        (flag != 1 || nempty(c0))
      }
    ::
      c0??green,_
    fi
  }
}
active [2] proctype P1() provided (flag <= 2) {
  byte x = 1;
  L0: x = 1;
  end0: c0??red,x;
  {
    d_step {
      byte t1 = flag % 3;
      c0?green,t1
    };
    atomic {
      assert(flag != 2)
    };
    c0??<blue,eval(x)>
  } unless {
    c0?[blue,0]
  }
}
