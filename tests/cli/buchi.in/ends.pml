/* A process that comes to its end. */
byte x;
active proctype P() { x = 1; x = 2 }
