/* A broken handshake of two messages: the server believes in old requests.
 *
 * Compare with three-way-handshake.pml. Here the server takes the connection for open as soon as
 * it has seen a `syn`. An old duplicate from a connection long gone is enough: the server is open
 * with a number that the client does not use.
 *
 * expect: safety violated assertion states=66 transitions=109
 */
#define OLD 1                   /* the number of the connection long gone */
#define PRESENT 2

mtype = { syn, syn_ack };

chan to_server = [2] of { mtype, byte };
chan to_client = [2] of { mtype, byte };

active proctype Client() {
    byte confirmed;
    to_server!syn(PRESENT);
    to_client?syn_ack(confirmed);
    assert(confirmed == PRESENT)
}

active proctype Server() {
    byte client;
    to_server?syn(client);
    assert(client == PRESENT);
    to_client!syn_ack(client)
}

active proctype Network() {
    if
    :: to_server!syn(OLD)
    :: true
    fi
}
