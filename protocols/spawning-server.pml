/* A server that starts one process for each request.
 *
 * The client sends its request together with a channel of its own for the answer. The server does
 * not answer itself but starts a `Worker`, which answers and dies. Channels travel in messages,
 * processes come and go while the system runs.
 *
 * expect: safety holds states=3237 transitions=7763
 * expect: ltl:bounded holds
 */
#define CLIENTS 2
#define ROUNDS 2

chan requests = [CLIENTS] of { byte, chan };
byte workers;                   /* that are not done with their computation */

proctype Worker(byte number; chan answer) {
    workers--;
    answer!(number * 2)
}

active proctype Server() {
    byte number;
    chan answer;
end:
    do
    :: requests?number, answer ->
        atomic {
            workers++;
            run Worker(number, answer)
        }
    od
}

active [CLIENTS] proctype Client() {
    chan own = [0] of { byte };
    byte round, result;
    for (round : 1 .. ROUNDS) {
        requests!(10 * _pid + round), own;
        own?result;
        assert(result == 2 * (10 * _pid + round))
    }
}

ltl bounded { [] (workers <= CLIENTS) }
