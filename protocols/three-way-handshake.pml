/* A three-way handshake: both sides of a connection agree on its two initial numbers.
 *
 * R. Tomlinson, Selecting sequence numbers, 1975; the way TCP opens a connection.
 *
 * The network holds an old `syn` of a connection long gone. The server answers it, but it does
 * not take the connection for open until the client confirms the server's number, which a client
 * does only for an answer to the number it has now; otherwise it says `reset`.
 *
 * The assertion: a server that takes the connection for open has the client's present number.
 *
 * expect: safety holds states=30 transitions=36
 * expect: ltl:opens holds
 */
#define OLD 1                   /* the number of the connection long gone */
#define PRESENT 2
#define SERVER 5

mtype = { syn, syn_ack, ack, reset };

chan to_server = [3] of { mtype, byte, byte };  /* kind, own number, number confirmed */
chan to_client = [3] of { mtype, byte, byte };

bool client_open, server_open;

active proctype Client() {
    byte number, confirmed;
    if
    :: to_server!syn(OLD, 0)    /* the network may still hold an old message */
    :: true
    fi;
    to_server!syn(PRESENT, 0);
    do
    :: to_client?syn_ack(number, confirmed) ->
        if
        :: confirmed == PRESENT ->
            to_server!ack(PRESENT, number);
            client_open = true;
            break
        :: else -> to_server!reset(confirmed, number)
        fi
    od
}

/* The server receives with `??`: the network delivers in any order. It deals with one `syn` at a
 * time; another one waits in the network. */
active proctype Server() {
    byte client;
    do
    :: to_server??syn(client, _) ->
        to_client!syn_ack(SERVER, client);
        if
        :: to_server??reset(eval(client), SERVER)
        :: to_server??ack(eval(client), SERVER) ->
            assert(client == PRESENT);
            server_open = true;
            break
        fi
    od
}

ltl opens { <> (client_open && server_open) }
