/* The receiver knows what it has had already. */
mtype = { data, ack };

chan line = [1] of { mtype, byte };   /* to the receiver */
chan back = [1] of { mtype };         /* to the sender */

active proctype Sender() {
    byte next;
    do
    :: skip;
put:   skip;                              /* here the next message is taken */
       do
       :: line!data(next);
          if
          :: back?ack -> break
          :: timeout                      /* lost: once more */
          fi
       od;
       next = (next + 1) % 4
    od
}

active proctype Receiver() {
    byte got, wanted;
    do
    :: line?data(got);
       if
       :: got == wanted ->
get:      wanted = (wanted + 1) % 4       /* here it is handed on */
       :: else                            /* had it: acknowledge again */
       fi;
       back!ack
    od
}

ltl arrives { [] (Sender@put -> <> Receiver@get) }
