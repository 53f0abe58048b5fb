/* Two channels in one declaration, as with other types. */
chan ping = [0] of { byte }, pong = [0] of { byte }

active proctype P() { ping!1; pong!1 }
