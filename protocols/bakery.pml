/* The bakery algorithm: take a ticket, the lowest number is served.
 *
 * L. Lamport, A new solution of Dijkstra's concurrent programming problem, 1974.
 *
 * Two processes may draw the same ticket, since drawing is not atomic; then the lower process
 * number goes first. Tickets grow without bound as long as somebody always holds one; here a
 * customer who would draw a ticket above LIMIT comes back later, so that the model is finite.
 *
 * expect: safety holds states=1105866 transitions=3119442
 * expect: ltl:excludes holds
 */
#define CUSTOMERS 3
#define LIMIT 6

bool choosing[CUSTOMERS];
byte ticket[CUSTOMERS];         /* 0: wants nothing */
byte inside;                    /* how many processes are in the critical section */

active [CUSTOMERS] proctype Customer() {
    byte other;
    byte highest;
    do
    :: choosing[_pid] = true;
        /* Find the highest ticket, one look at a time. */
        highest = 0;
        other = 0;
        do
        :: other < CUSTOMERS ->
            highest = (ticket[other] > highest -> ticket[other] : highest);
            other++
        :: other == CUSTOMERS -> break
        od;
        if
        :: highest < LIMIT -> ticket[_pid] = highest + 1
        :: else                 /* come back later */
        fi;
        highest = 0;
        choosing[_pid] = false;

        /* Wait for everybody with a lower ticket. */
        other = 0;
        do
        :: ticket[_pid] != 0 && other < CUSTOMERS ->
            !choosing[other];
            (ticket[other] == 0 || ticket[other] > ticket[_pid]
                || (ticket[other] == ticket[_pid] && other >= _pid));
            other++
        :: ticket[_pid] != 0 && other == CUSTOMERS ->
            inside++;
            assert(inside == 1);
            inside--;
            ticket[_pid] = 0
        :: ticket[_pid] == 0 -> break
        od
    od
}

ltl excludes { [] (inside <= 1) }
