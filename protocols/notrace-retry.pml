/* `notrace`: a sequence of messages that must not happen.
 *
 * A client may try a login again after a refusal. Three refusals in a row are what must not
 * happen: the server should have locked the account after the second. It has not, and the
 * search finds the sequence: a `notrace` that can be followed to its end is an error.
 *
 * expect: safety violated trace states=13 transitions=16
 */
mtype = { login, accepted, refused };

chan to_server = [0] of { mtype };
chan to_client = [1] of { mtype };

active proctype Client() {
    do
    :: to_server!login;
        if
        :: to_client?accepted -> break
        :: to_client?refused
        fi
    od
}

active proctype Server() {
end:
    do
    :: to_server?login ->
        if
        :: to_client!accepted
        :: to_client!refused
        fi
    od
}

notrace {
    to_client!refused;
    to_client!refused;
    to_client!refused
}
