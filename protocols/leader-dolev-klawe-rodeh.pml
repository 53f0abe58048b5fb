/* Leader election on a one-way ring with O(n log n) messages.
 *
 * D. Dolev, M. Klawe, M. Rodeh, An O(n log n) unidirectional distributed algorithm for extrema
 * finding in a circle, 1982; G. L. Peterson found it independently.
 *
 * In each round an active node learns the values of the two nearest active nodes before it. If
 * the nearer one is greater than its own value and than the farther one, the node goes on with
 * that value; otherwise it becomes a relay that only passes messages on. At least half of the
 * active nodes drop out in each round. A node that hears its own value has won, and tells it.
 *
 * Note that the node that finds out need not be the one where the greatest number started.
 *
 * expect: safety holds states=245617 transitions=1199635
 * expect: ltl:agreed holds
 */
#define NODES 7

mtype = { one, two, winner };

chan ring[NODES] = [2 * NODES] of { mtype, byte };
byte known;                     /* how many nodes know the winner */

proctype Node(chan incoming; chan outgoing; byte number) {
    byte value = number;        /* the value this node stands for */
    byte nearer, farther;
    bool relay;

    outgoing!one(value);
    do
    :: incoming?one(nearer) ->
        if
        :: relay -> outgoing!one(nearer)
        :: !relay && nearer != value -> outgoing!two(nearer)
        :: !relay && nearer == value ->
            outgoing!winner(value);
            assert(value == NODES)
        fi
    :: incoming?two(farther) ->
        if
        :: relay -> outgoing!two(farther)
        :: !relay && nearer > farther && nearer > value ->
            value = nearer;
            outgoing!one(value)
        :: !relay && !(nearer > farther && nearer > value) ->
            relay = true
        fi
    :: incoming?winner(nearer) ->
        assert(nearer == NODES);
        known++;
        if
        :: relay -> outgoing!winner(nearer)
        :: else                 /* it was this node that found out */
        fi;
        break
    od
}

init {
    atomic {
        run Node(ring[0], ring[1], 2);
        run Node(ring[1], ring[2], 7);
        run Node(ring[2], ring[3], 1);
        run Node(ring[3], ring[4], 5);
        run Node(ring[4], ring[5], 3);
        run Node(ring[5], ring[6], 6);
        run Node(ring[6], ring[0], 4)
    }
}

ltl agreed { <> (known == NODES) }
