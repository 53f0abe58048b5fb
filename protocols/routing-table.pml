/* A `typedef` with arrays inside: distance-vector routing on a small network.
 *
 * Each router keeps a table with the distance and the next hop to every destination, learnt from
 * its neighbours (R. Bellman, 1957; L. R. Ford, 1956). Here three routers stand in a line and send
 * their tables as whole structures in messages. When all is quiet, the distances are right.
 *
 * expect: safety holds states=91589 transitions=258483
 */
#define ROUTERS 3
#define INFINITY 9

typedef Entry {
    byte distance;
    byte hop;
}

typedef Table {
    Entry to[ROUTERS];
}

typedef Vector {
    byte distance[ROUTERS];
}

Table table[ROUTERS];
chan inbox[ROUTERS] = [2] of { byte, Vector };     /* from, its distances */

/* Sends the table of `self` to a neighbour, if there is one. */
inline tell(neighbour) {
    if
    :: neighbour >= 0 && neighbour < ROUTERS ->
        inbox[neighbour]!self, vector
    :: else
    fi
}

inline tell_both() {
    for (destination : 0 .. ROUTERS - 1) {
        vector.distance[destination] = table[self].to[destination].distance
    }
    tell(self - 1);
    tell(self + 1)
}

proctype Router(int self) {       /* `int`, since `self - 1` may be negative */
    byte destination, from;
    bool changed;
    Vector vector;
    tell_both();
end:
    do
    :: inbox[self]?from, vector ->
        d_step {
            changed = false;
            for (destination : 0 .. ROUTERS - 1) {
                if
                :: vector.distance[destination] + 1 < table[self].to[destination].distance ->
                    table[self].to[destination].distance = vector.distance[destination] + 1;
                    table[self].to[destination].hop = from;
                    changed = true
                :: else
                fi
            }
            destination = 0
        }
        if
        :: changed -> tell_both()
        :: else
        fi
    od
}

init {
    byte i, j;
    atomic {
        for (i : 0 .. ROUTERS - 1) {
            for (j : 0 .. ROUTERS - 1) {
                table[i].to[j].distance = (i == j -> 0 : INFINITY)
            }
        }
        for (i : 0 .. ROUTERS - 1) {
            run Router(i)
        }
    }
    timeout ->                  /* all is quiet */
    assert(table[0].to[2].distance == 2 && table[0].to[2].hop == 1);
    assert(table[2].to[0].distance == 2 && table[2].to[0].hop == 1);
    assert(table[1].to[0].distance == 1 && table[1].to[2].distance == 1)
}
