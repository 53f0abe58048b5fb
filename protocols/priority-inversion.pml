/* Priority inversion: a process of middle priority keeps one of high priority waiting.
 *
 * What stopped the Mars Pathfinder's computer again and again in 1997. The process of low
 * priority holds a lock that the one of high priority needs. Before it can give the lock back,
 * one of middle priority has something to compute, does not need the lock, and may go on for ever.
 *
 * A process moves only if none of higher priority can. So the fault is a cycle without progress.
 *
 * expect: safety holds states=16 transitions=18
 * expect: progress violated
 */
bool locked;

inline lock() {
    atomic { !locked -> locked = true }
}

active proctype Low() priority 1 {
    do
    :: lock();
        locked = false
    od
}

active proctype Middle() priority 5 {
    bool work;
    do
    :: locked -> work = !work
    :: locked -> !locked        /* nothing to compute until the lock is free again */
    od
}

active proctype High() priority 9 {
    do
    :: locked ->                /* it comes when it is least convenient */
        lock();
progress_measured:
        locked = false
    od
}
