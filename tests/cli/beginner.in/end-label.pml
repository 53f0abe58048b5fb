/* The server waits for the next request when all is done: that is how it should be, and nothing
   in the model says so. */
chan requests = [1] of { byte }

active proctype Client() {
    requests!1
}

active proctype Server() {
    byte number;
    do
    :: requests?number
    od
}
