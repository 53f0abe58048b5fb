/* As before; the sender sends again when nothing happens any more. */
mtype = { data, ack };

chan line = [1] of { mtype, byte };   /* to the receiver */
chan back = [1] of { mtype };         /* to the sender */

active proctype Sender() {
    byte next;
    do
    :: line!data(next);
       if
       :: back?ack -> next = (next + 1) % 4
       :: timeout                         /* lost: once more */
       fi
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
