/* The bounded retransmission protocol: a file of few pieces, and a sender that may give up.
 *
 * After the protocol by which Philips remote controls talked, studied by L. Helmink, M. Sellink
 * and F. Vaandrager, 1994. The sender sends a file piece by piece with an alternating bit. A piece
 * without acknowledgement is repeated at most RETRIES times; then the sender gives up and tells
 * its user so: `not_ok`, or `dont_know` if only the last piece is in doubt. The receiver sees
 * pieces marked as first, middle and last; when it hears nothing more, it tells its user `not_ok`
 * unless it had the last one.
 *
 * Timers: the sender's runs out only when a message was lost; `timeout` says just this: nothing
 * else in the model can move. The receiver's runs out only after the sender has finished, which
 * the model says by a look at what the sender told its user.
 *
 * What must hold: if the sender says `ok`, the receiver has the file; if it says `not_ok`, the
 * receiver has it not. And whatever the channels lose, both users are told in the end, since the
 * retries are bounded.
 *
 * expect: safety holds states=216 transitions=233
 * expect: ltl:answers holds
 */
#define PIECES 3
#define RETRIES 2

mtype = { unknown, ok, not_ok, dont_know };

chan forward = [1] of { bool, bool, bit };  /* first piece, last piece, the bit */
chan back = [1] of { bit };

mtype sender_says = unknown;
mtype receiver_says = unknown;

active proctype Sender() {
    byte piece = 1;
    byte retries;
    bit current;
    do
    :: piece <= PIECES ->
        forward!(piece == 1), (piece == PIECES), current;
        if
        :: back?eval(current) ->
            current = 1 - current;
            retries = 0;
            piece++
        :: timeout ->           /* the piece or its acknowledgement is lost */
            if
            :: retries < RETRIES -> retries++
            :: retries == RETRIES && piece == PIECES -> sender_says = dont_know; break
            :: retries == RETRIES && piece < PIECES -> sender_says = not_ok; break
            fi
        fi
    :: piece > PIECES -> sender_says = ok; break
    od
}

active proctype Receiver() {
    bool first, last;
    bit wanted, got;
    do
    :: forward?first, last, got ->
        if
        :: got == wanted ->
            wanted = 1 - wanted;
            if
            :: last -> receiver_says = ok
            :: else
            fi
        :: else                 /* a repetition */
        fi;
        back!got
    :: sender_says != unknown && empty(forward) -> break
    od;
    if
    :: receiver_says == unknown -> receiver_says = not_ok
    :: else
    fi;
    assert(sender_says != ok || receiver_says == ok);
    assert(sender_says != not_ok || receiver_says == not_ok)
}

/* Both channels lose what they like. */
active proctype Thief() {
end:
    do
    :: forward?_, _, _
    :: back?_
    od
}

ltl answers { <> (sender_says != unknown && receiver_says != unknown) }
