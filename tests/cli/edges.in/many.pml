/* Sixty processes. */
active [60] proctype Station() {
    assert(_pid != 59)
}
