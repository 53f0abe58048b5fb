/* The receiver takes two messages, the sender has three. */
chan line = [1] of { byte }

active proctype Sender() {
    line!1;
    line!2;
    line!3
}

active proctype Receiver() {
    byte number;
    line?number;
}
