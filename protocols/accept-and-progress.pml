/* Labels with a meaning: `accept`, `progress` and `end`.
 *
 * `accept` marks what must not happen infinitely often, `progress` what must not stop happening,
 * `end` where a process may stop for ever. A client asks, the server answers or says that it is
 * busy. It may say so for ever: that is a cycle through `accept_busy`, and one without progress.
 * When the client goes home, the server waits for ever at `end`, which is no deadlock.
 *
 * expect: safety holds states=5 transitions=6
 * expect: accept violated
 * expect: progress violated
 */
mtype = { request, answer, busy };

chan to_server = [0] of { mtype };
chan to_client = [0] of { mtype };

active proctype Client() {
    do
    :: to_server!request;
        if
        :: to_client?answer ->
progress_answered:
            skip
        :: to_client?busy ->
accept_busy:
            skip
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
        :: to_client!busy
        fi
    od
}
