/* Process priorities that change while the model runs.
 *
 * A process moves only if no process of higher priority can. Each of the three workers does one
 * piece of work and then lowers its own priority with `_priority`, so that the work goes around;
 * `get_priority` and `set_priority` reach other processes too: the last step of a round raises
 * all of them again.
 *
 * expect: safety holds states=31 transitions=57
 */
#define WORKERS 3

byte done;                      /* pieces of work in this round */
byte last_worker = WORKERS;     /* who worked last in this round */

active [WORKERS] proctype Worker() priority 10 {
    do
    :: atomic {
            get_priority(_pid) == 10 ->
            assert(_priority == 10);
            assert(last_worker != _pid);        /* nobody works twice in a row */
            last_worker = _pid;
            done++;
            if
            :: done < WORKERS -> set_priority(_pid, 5)
            :: else ->
                done = 0;
                last_worker = WORKERS;
                set_priority(0, 10);
                set_priority(1, 10);
                set_priority(2, 10)
            fi
        }
    od
}
