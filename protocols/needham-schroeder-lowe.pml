/* The Needham-Schroeder public-key protocol with Lowe's repair.
 *
 * G. Lowe, Breaking and fixing the Needham-Schroeder public-key protocol using FDR, 1996.
 *
 *     1.  A -> B   { A, nonce of A } with B's key
 *     2.  B -> A   { B, nonce of A, nonce of B } with A's key
 *     3.  A -> B   { nonce of B } with B's key
 *
 * The second message now names its sender. If the intruder hands Bob's answer on to Alice, she
 * sees that it comes from Bob, with whom she did not begin, and does not answer. The intruder is
 * that of needham-schroeder.pml; the assertion holds. An attack that fails leaves everybody
 * waiting: hence the invalid end states, which are no fault of the protocol.
 *
 * expect: safety violated deadlock states=364 transitions=518
 * expect: ltl:authentic holds
 */
mtype = { nobody, alice, bob, intruder, nonce_a, nonce_b, nonce_i, none };
mtype = { one, two, three };

/* Kind of message, whose key it is encrypted with, three fields. */
chan network = [0] of { mtype, mtype, mtype, mtype, mtype };

mtype alice_partner = nobody;
mtype bob_partner = nobody;

active proctype Alice() {
    mtype nonce;
    if
    :: alice_partner = bob
    :: alice_partner = intruder
    fi;
    network!one(alice_partner, alice, nonce_a, none);
    network?two(alice, eval(alice_partner), nonce_a, nonce);
    network!three(alice_partner, nonce, none, none)
}

active proctype Bob() {
    mtype partner, nonce;
    network?one(bob, partner, nonce, none);
    network!two(partner, bob, nonce, nonce_b);
    network?three(bob, nonce_b, none, none);
    bob_partner = partner;
    assert(bob_partner != alice || alice_partner == bob)
}

/* Everything goes through the intruder's hands: it is the network. */
active proctype Intruder() {
    bool knows_a, knows_b;      /* the nonces that it could read */
    mtype kind, key, first, second, third;  /* the message at hand */
    mtype stored_kind = none;               /* a message that it cannot open */
    mtype stored_key = none;
    mtype stored_first = none;
    mtype stored_second = none;
    mtype stored_third = none;
end:
    do
    :: network?kind(key, first, second, third) ->
        d_step {
            if
            :: key == intruder ->           /* open it */
                knows_a = knows_a || first == nonce_a || second == nonce_a;
                knows_b = knows_b || first == nonce_b || third == nonce_b
            :: else ->                      /* keep it as it is */
                stored_kind = kind;
                stored_key = key;
                stored_first = first;
                stored_second = second;
                stored_third = third
            fi;
            kind = none; key = none; first = none; second = none; third = none
        }
    :: stored_kind != none ->
        network!stored_kind(stored_key, stored_first, stored_second, stored_third)
    :: network!one(bob, alice, nonce_i, none)
    :: network!one(bob, intruder, nonce_i, none)
    :: knows_a -> network!one(bob, alice, nonce_a, none)
    :: knows_a -> network!two(alice, intruder, nonce_a, nonce_i)
    :: knows_a -> network!two(alice, bob, nonce_a, nonce_i)
    :: knows_a && knows_b -> network!two(alice, intruder, nonce_a, nonce_b)
    :: knows_a && knows_b -> network!two(alice, bob, nonce_a, nonce_b)
    :: knows_b -> network!three(bob, nonce_b, none, none)
    od
}

ltl authentic { [] (bob_partner == alice -> alice_partner == bob) }
