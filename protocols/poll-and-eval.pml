/* Asking before receiving: `?[…]` polls, `eval` matches the value of a variable.
 *
 * Two clients share one channel for answers. Each takes only the answers with its own number:
 * `eval(_pid)` makes the number a part of what must match, where a plain variable would be
 * overwritten. The server polls to serve an urgent request first, even if another one came
 * before it.
 *
 * expect: safety holds states=216 transitions=435
 * expect: ltl:answered holds fairness=weak
 */
mtype = { urgent, normal };

chan requests = [2] of { mtype, byte };
chan answers = [2] of { byte, byte };   /* client, which service */
byte served[2];

active [2] proctype Client() {
    byte service;
    if
    :: requests!urgent, _pid
    :: requests!normal, _pid
    fi;
    answers??eval(_pid), service;
    served[_pid] = service
}

active proctype Server() {
    byte client;
    byte service = 1;
    do
    :: service <= 2 ->
        if
        :: requests??[urgent, _] -> requests??urgent, client
        :: !requests??[urgent, _] && nempty(requests) -> requests?_, client
        fi;
        answers!client, service;
        service++
    :: else -> break
    od;
    assert(empty(requests))
}

ltl answered { <> (served[0] != 0 && served[1] != 0 && served[0] != served[1]) }
