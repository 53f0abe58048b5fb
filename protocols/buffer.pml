/* A buffer of PLACES messages: what a protocol for reliable transfer promises its users.
 *
 * The users are processes of their own. What they see is the rendezvous with them: `put!m` when a
 * message is handed over, `get!m` when it comes out, in order, each once. This is the service that
 * transfer-alternating-bit.pml (with one place) and transfer-go-back-n.pml (with two) give, see
 *
 *     pverify transfer-alternating-bit.pml --check equivalence --against buffer.pml \
 *         --relation safety --observe 'put!_' --observe 'get!_'
 *
 * expect: safety holds states=14 transitions=15
 */
#ifndef PLACES
#define PLACES 1
#endif

chan put = [0] of { bit };
chan get = [0] of { bit };
chan places = [PLACES] of { bit };

active proctype User() {
end:
    do
    :: put!0
    :: put!1
    od
}

active proctype Buffer() {
    bit message;
end:
    do
    :: nfull(places) -> put?message; places!message; message = 0
    :: places?<message> -> get!message; places?_; message = 0
    od
}

active proctype Other() {
end:
    do
    :: get?_
    od
}
