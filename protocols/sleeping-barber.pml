/* The sleeping barber: customers wait on a few chairs, or leave if none is free.
 *
 * E. W. Dijkstra, Cooperating sequential processes, 1965.
 *
 * The barber sleeps until a customer wakes him. The chairs are a channel: who finds it full goes
 * away and comes back later. Each customer is told over a rendezvous that it is its turn.
 *
 * expect: safety holds states=285 transitions=540
 * expect: deadlock holds
 * expect: progress holds
 */
#define CUSTOMERS 4
#define CHAIRS 2

chan chairs = [CHAIRS] of { byte };
chan turn[CUSTOMERS + 1] = [0] of { bool };
byte in_barber_chair;

active proctype Barber() {
    byte customer;
    do
    :: chairs?customer ->       /* with nobody there, he sleeps here */
        turn[customer]!true;
progress_cut:
        turn[customer]!false    /* done */
    od
}

active [CUSTOMERS] proctype Customer() {
    do
    :: atomic {
            nfull(chairs) -> chairs!_pid    /* otherwise it looks again later */
        };
        turn[_pid]?true;
        in_barber_chair++;
        assert(in_barber_chair == 1);
        in_barber_chair--;
        turn[_pid]?false
    od
}
