/* Both sides want to speak first. */
chan ping = [0] of { byte }
chan pong = [0] of { byte }

active proctype Left() {
    byte heard;
    ping!1;
    pong?heard
}

active proctype Right() {
    byte heard;
    pong!1;
    ping?heard
}
