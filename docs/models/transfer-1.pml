/* Messages with numbers go one way, acknowledgements the other. */
mtype = { data, ack };

chan line = [1] of { mtype, byte };   /* to the receiver */
chan back = [1] of { mtype };         /* to the sender */

active proctype Sender() {
    byte next;
    do
    :: line!data(next);
       back?ack;
       next = (next + 1) % 4
    od
}

active proctype Receiver() {
    byte got, wanted;
    do
    :: line?data(got);
       assert(got == wanted);
       wanted = (wanted + 1) % 4;
       back!ack
    od
}
