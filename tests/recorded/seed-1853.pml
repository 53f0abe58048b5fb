// recorded: states=129 transitions=247 verdict=assertion+invalid end state errors=50
mtype = { red, green, blue };
byte row[2];
short s = -1;
chan c0 = [2] of { mtype };
chan c1 = [1] of { mtype, byte };
active proctype P0() provided (!(2 < s)) {
  byte x = 2;
  L0: row[0] = s % 3;
  c1??red,eval(row[1]);
  d_step {
    row[1] <= 2;
    assert(!(true));
    printm(green)
  }
}
active [2] proctype P1() {
  L0: row[1] = 1 % 2;
  row[1] = (true -> row[0] : row[0]) % 2;
  c1!red,(row[1] >> 1) % 3;
  c1!!red,_nr_pr % 3;
  s = (s + 1) % 3;
  atomic {
    if
    ::
      nempty(c1);
      c1!red,2 % 3
    ::
      else
    fi;
    goto L0;
    s = s % 3;
    if
    ::
      skip
    ::
      c1!green,row[0] % 3;
      _nr_pr < 3;
      c0?green
    ::
      row[0] = (2 >= s -> row[((row[1] + row[1])) & 1] : row[0]) % 3;
      c0!blue
    fi
  }
}
