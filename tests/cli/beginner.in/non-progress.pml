/* A sender that may send the same message again for ever. */
chan line = [1] of { bit }
bit sent, got

active proctype Sender() {
    do
    :: line!sent ->
        if
        :: skip /* lost: again */
        :: sent = 1 - sent;
progress:       skip
        fi
    od
}

active proctype Receiver() {
end:    do
    :: line?got
    od
}
