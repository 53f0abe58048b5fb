/* Readers and writers: many may read at a time, but a writer is alone.
 *
 * P. J. Courtois, F. Heymans, D. L. Parnas, Concurrent control with "readers" and "writers", 1971.
 *
 * The first solution: the first reader locks the room against writers, the last one unlocks it.
 * `door` guards the count of readers. A writer may starve, since readers may come in turns so that
 * the room is never empty of them.
 *
 * expect: safety holds states=685 transitions=1597
 * expect: ltl:alone holds
 * expect: ltl:writes violated fairness=weak
 */
#define READERS 3
#define WRITERS 2

bool door_locked, room_locked;
byte readers;                   /* guarded by the door */
byte reading, writing;          /* who is in the room, for the property */

inline lock(what) {
    atomic { !what -> what = true }
}

inline unlock(what) {
    what = false
}

active [READERS] proctype Reader() {
    do
    :: lock(door_locked);
        readers++;
        if
        :: readers == 1 -> lock(room_locked)
        :: else
        fi;
        unlock(door_locked);

        reading++;
        assert(writing == 0);
        reading--;

        lock(door_locked);
        readers--;
        if
        :: readers == 0 -> unlock(room_locked)
        :: else
        fi;
        unlock(door_locked)
    od
}

active [WRITERS] proctype Writer() {
    do
    :: lock(room_locked);
        writing++;
        assert(writing == 1 && reading == 0);
        writing--;
        unlock(room_locked)
    od
}

ltl alone { [] (writing == 0 || (writing == 1 && reading == 0)) }
ltl writes { [] <> (writing == 1) }
