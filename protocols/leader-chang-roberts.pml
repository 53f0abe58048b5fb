/* Leader election on a ring: the greatest number wins.
 *
 * E. Chang, R. Roberts, An improved algorithm for decentralized extrema-finding in circular
 * configurations of processes, 1979.
 *
 * Each node sends its number to the next one. A node passes on numbers greater than its own and
 * drops smaller ones; who gets its own number back is the leader and says so around the ring.
 * The numbers are placed on the ring in a fixed order that is neither the best nor the worst.
 *
 * expect: safety holds states=5473 transitions=19034
 * expect: ltl:one_leader holds
 * expect: ltl:elected holds
 */
#define NODES 5

mtype = { candidate, leader };

chan ring[NODES] = [NODES] of { mtype, byte };
byte leaders;                   /* how many nodes have declared themselves leader */

proctype Node(byte place; byte number) {
    byte other;
    bool finished;
    ring[(place + 1) % NODES]!candidate, number;
    do
    :: finished -> break
    :: !finished && ring[place]?[candidate, other] ->
        ring[place]?candidate, other;
        if
        :: other > number -> ring[(place + 1) % NODES]!candidate, other
        :: other < number       /* it cannot win: drop it */
        :: other == number ->
            leaders++;
            assert(number == NODES);
            ring[(place + 1) % NODES]!leader, number
        fi
    :: !finished && ring[place]?[leader, other] ->
        ring[place]?leader, other;
        if
        :: other != number -> ring[(place + 1) % NODES]!leader, other
        :: else                 /* the news has been everywhere */
        fi;
        finished = true
    od
}

init {
    atomic {
        run Node(0, 2);
        run Node(1, 5);
        run Node(2, 1);
        run Node(3, 4);
        run Node(4, 3)
    }
}

ltl one_leader { [] (leaders <= 1) }
ltl elected { <> (leaders == 1) }
