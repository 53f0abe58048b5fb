/* A channel as a priority queue: sorted send `!!` and random receive `??`.
 *
 * `!!` inserts a message before the first greater one, so that the channel is always sorted. `??`
 * takes the first message that matches, wherever it stands. `?<…>` copies without removing, and
 * `?[…]` only asks whether a message is there.
 *
 * expect: safety holds states=1611 transitions=3777
 */
mtype = { job, cancel };

chan queue = [3] of { byte, mtype };    /* urgency (1 is the most urgent), kind */

active proctype Submitter() {
    byte urgency;
    byte count;
    for (count : 1 .. 4) {
        select (urgency : 1 .. 3);
        if
        :: queue!!urgency, job
        :: queue!!urgency, cancel
        fi
    }
}

active proctype Worker() {
    byte urgency, next;
    mtype kind;
end:
    do
    :: atomic {
            queue?urgency, job ->
            /* What is still in the queue is not more urgent. */
            if
            :: queue?<next, kind> -> assert(next >= urgency)
            :: empty(queue)
            fi;
            urgency = 0; next = 0; kind = 0
        }
    :: queue??_, cancel         /* cancelled work is taken from anywhere */
    od
}
