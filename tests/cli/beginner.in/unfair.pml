/* Nothing is wrong here but the scheduler: the server could answer all the time. */
bool answered, elsewhere

active proctype Server() {
    answered = true
}

active proctype Other() {
end:    do
    :: elsewhere = !elsewhere
    od
}

ltl gets_an_answer { <> answered }
