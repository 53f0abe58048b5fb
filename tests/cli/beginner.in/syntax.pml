/* A condition as in C, and a forgotten semicolon. */
byte count

active proctype Counter() {
    if (count < 3) {
        count = count + 1
    }
}
