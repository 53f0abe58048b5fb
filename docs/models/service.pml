/* What the protocol is for: one message is taken, then it is handed on. */
bit taken;

active proctype Sender() {
    do
    :: !taken;
put:   taken = 1
    od
}

active proctype Receiver() {
    do
    :: taken;
get:   taken = 0
    od
}
