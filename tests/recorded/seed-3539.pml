// recorded: states=86 transitions=193 verdict=none errors=0
mtype = { red, green, blue };
short s = -1;
bool flag;
bit h[3];
chan c0 = [2] of { bit, byte };
proctype Child(byte v; chan q) {
  L0: s = (v + v) % 3;
  if
  ::
    timeout;
    {
      c0?2,v
    } unless {
      c0?v,0
    }
  ::
    c0?1,eval(h[2])
  ::
    c0!_nr_pr % 3,!flag % 3
  ::
    else
  fi;
  L1: flag = _pid % 2;
  atomic {
    _nr_pr > 1;
    assert(_nr_pr < 3);
    q!1 % 3,!flag % 3
  }
}
active proctype P0() {
  byte x = 1;
  L0: x = 1;
  h[2] = _pid % 2
}
active proctype P1() {
  byte x = 1;
  L0: x = 0;
  c0!x % 3,x % 3;
  {
    flag = (flag + 1) % 2;
    flag = (x + flag) % 2
  } unless {
    (h[2] < 0 || empty(c0))
  }
}
active proctype P2() provided ((h[2] != 1 || empty(c0))) {
  byte x = 0;
  L0: flag = 0 % 2;
  do
  ::
    timeout
  ::
    len(c0) == 1
  ::
    s >= 1;
    {
      {
        flag = (flag + 1) % 2
      } unless {
        x >= 0
      };
      c0?0,1;
      (flag == 1 && h[2] >= 0)
    } unless {
      len(c0) == 1;
      {
        c0!!flag % 3,h[2] % 3;
        s = 0
      } unless {
        2 < s
      }
    };
    atomic {
      flag = (flag + 1) % 2;
      {
        c0??0,0;
        c0!(s - 1) % 3,!flag % 3
      } unless {
        true
      };
      s = 0;
      skip
    }
  ::
    else
  ::
    break
  od
}
