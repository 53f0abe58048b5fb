/* The Needham-Schroeder public-key protocol, with the attack that was found after 17 years.
 *
 * R. Needham, M. Schroeder, Using encryption for authentication in large networks of computers,
 * 1978; the attack: G. Lowe, An attack on the Needham-Schroeder public-key authentication
 * protocol, 1995.
 *
 *     1.  A -> B   { A, nonce of A } with B's key
 *     2.  B -> A   { nonce of A, nonce of B } with A's key
 *     3.  A -> B   { nonce of B } with B's key
 *
 * Alice begins a session with Bob or with the intruder, whom she takes for an honest partner. The
 * intruder reads everything, stores messages it cannot open and sends whatever it can make of what
 * it knows. The attack: Alice talks to the intruder, which poses as Alice to Bob; Bob's nonce
 * comes back through Alice herself.
 *
 * The assertion: if Bob believes that he talked with Alice, Alice wanted to talk with Bob.
 * An attack that fails leaves everybody waiting: hence also invalid end states, which are no fault
 * of the protocol. needham-schroeder-lowe.pml has the repair.
 *
 * expect: safety violated assertion deadlock states=359 transitions=513
 */
mtype = { nobody, alice, bob, intruder, nonce_a, nonce_b, nonce_i, none };
mtype = { one, two, three };

/* Kind of message, whose key it is encrypted with, two fields. */
chan network = [0] of { mtype, mtype, mtype, mtype };

mtype alice_partner = nobody;
mtype bob_partner = nobody;

active proctype Alice() {
    mtype nonce;
    if
    :: alice_partner = bob
    :: alice_partner = intruder
    fi;
    network!one(alice_partner, alice, nonce_a);
    network?two(alice, nonce_a, nonce);
    network!three(alice_partner, nonce, none)
}

active proctype Bob() {
    mtype partner, nonce;
    network?one(bob, partner, nonce);
    network!two(partner, nonce, nonce_b);
    network?three(bob, nonce_b, none);
    bob_partner = partner;
    assert(bob_partner != alice || alice_partner == bob)
}

/* Everything goes through the intruder's hands: it is the network. */
active proctype Intruder() {
    bool knows_a, knows_b;      /* the nonces that it could read */
    mtype kind, key, first, second;         /* the message at hand */
    mtype stored_kind = none;               /* a message that it cannot open */
    mtype stored_key = none;
    mtype stored_first = none;
    mtype stored_second = none;
end:
    do
    :: network?kind(key, first, second) ->
        d_step {
            if
            :: key == intruder ->           /* open it */
                knows_a = knows_a || first == nonce_a || second == nonce_a;
                knows_b = knows_b || first == nonce_b || second == nonce_b
            :: else ->                      /* keep it as it is */
                stored_kind = kind;
                stored_key = key;
                stored_first = first;
                stored_second = second
            fi;
            kind = none; key = none; first = none; second = none
        }
    :: stored_kind != none -> network!stored_kind(stored_key, stored_first, stored_second)
    :: network!one(bob, alice, nonce_i)
    :: network!one(bob, intruder, nonce_i)
    :: knows_a -> network!one(bob, alice, nonce_a)
    :: knows_a -> network!two(alice, nonce_a, nonce_i)
    :: knows_a && knows_b -> network!two(alice, nonce_a, nonce_b)
    :: knows_b -> network!three(bob, nonce_b, none)
    od
}
