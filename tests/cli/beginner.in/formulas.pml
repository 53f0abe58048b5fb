/* A light that changes its colour for ever, until it breaks. */
bool red = true, green, broken

active proctype Light() {
    do
    :: atomic { red -> red = false; green = true }
    :: atomic { green -> green = false; red = true }
    :: green -> broken = true; green = false; break
    od
}
