/* Connect-disconnect: one side opens and closes a session, the other may end it too.
 *
 * A opens a session and closes it again; B follows, and may itself end a session that is open by
 * sending `disconnect`. The simplified protocol by which C. Jard and M. Raynal introduced protocol
 * validation (Specification of properties is required to verify distributed algorithms, 1987).
 * The machines are reconstructed: the figure was not at hand, only the number of states that a
 * later paper gives for them, which these machines have (SPIN, N = 1 to 6 and 10).
 *
 * There are deadlocks, 2 with N = 4. `disconnect` and `close` cross: B has ended the session and
 * waits for `open`, but `close` is at the head of its channel for ever; A goes on until the
 * channel is full. N^2/4 + 3(N+1) states (rounded down). With unbounded channels the one from A
 * to B grows without bound.
 *
 * expect: safety violated deadlock states=19 transitions=30
 * expect: deadlock violated
 */
#ifndef N
#define N 4                     /* capacity of the channel from A to B */
#endif

mtype = { open, close, disconnect };

chan to_b = [N] of { mtype };
chan to_a = [1] of { mtype };

active proctype A() {
closed:
    to_b!open;
    if
    :: to_b!close -> goto closed
    :: to_a?disconnect -> goto closed
    fi
}

active proctype B() {
closed:
    to_b?open;
    if
    :: to_b?close -> goto closed
    :: to_a!disconnect -> goto closed
    fi
}
