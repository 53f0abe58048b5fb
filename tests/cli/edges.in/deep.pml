/* No way to the mistake is shorter than 20,001 steps. */
chan line = [1] of { short };
short count;

active proctype Sender() {
    do
    :: count < 5000 -> line!count; count++
    :: else -> assert(false)
    od
}

active proctype Receiver() {
    short got;
    do
    :: line?got
    od
}
