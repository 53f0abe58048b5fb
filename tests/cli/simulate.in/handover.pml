/* A rendezvous out of an atomic block, and an assertion behind it. */
chan c = [0] of { byte };
byte total;

active proctype Sender() {
    atomic {
        total++;
        c!3;
        total++
    }
}

active proctype Receiver() {
    byte got;
    c?got;
    d_step {
        total = total + got;
        assert(total < 4)
    }
}
