/* Texts that would like to steer the terminal, and some that are wide: the one before the word «evil»
   is U+202E, the one behind it U+200E. */
chan c = [1] of { byte };

active proctype P() {
    printf("\x1b[31m ‮evil‎\n");
    c!1
}

active proctype Q() {
    byte y;
    printf("駅 é́ \n");
    c?y;
    assert(false)
}
