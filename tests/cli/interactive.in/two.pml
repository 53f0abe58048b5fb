chan c = [0] of { byte };
byte x;
active [2] proctype P() {
    x = x + 1;
    c!x
}
active proctype Q() {
    byte y;
    c?y
}
