/* A server that is busy at most once in a row: no bad cycle.
 *
 * The repair of accept-and-progress.pml: after it has said `busy`, the server answers. Saying so
 * now and then is allowed, so the label for what must not happen for ever stands where the client
 * is refused a second time in a row: it is never passed.
 *
 * expect: safety holds states=10 transitions=11
 * expect: accept holds
 * expect: progress holds
 */
mtype = { request, answer, busy };

chan to_server = [0] of { mtype };
chan to_client = [0] of { mtype };

active proctype Client() {
    bool refused;
    do
    :: to_server!request;
        if
        :: to_client?answer ->
progress_answered:
            refused = false
        :: to_client?busy ->
            if
            :: refused ->
accept_refused_again:
                skip
            :: else -> refused = true
            fi
        fi
    :: break                    /* go home */
    od
}

active proctype Server() {
end:
    do
    :: to_server?request ->
        if
        :: to_client!answer
        :: to_client!busy;
end_after_busy:
            to_server?request;
            to_client!answer
        fi
    od
}
