byte t[3]; byte i;
active proctype P() { do :: t[i] = i; i++ od }
