/* Remote references: a look at the label and the variables of another process.
 *
 * `Worker[1]@end_done` is true while process 1 is at its label `end_done`; `Worker[1]:pieces` is
 * its local variable. Meant for claims and formulas, they may be used anywhere. Process numbers
 * count from 0 in the order of the declarations.
 *
 * expect: safety holds states=63 transitions=84
 * expect: ltl:balanced holds
 * expect: ltl:finishes holds
 */
byte supply = 6;

active [2] proctype Worker() {
    byte pieces;
    do
    :: atomic { supply > 0 -> supply--; pieces++ }
    :: supply == 0 -> break
    od;
end_done:
    false                       /* waits for ever, so that it can be looked at */
}

active proctype Foreman() {
    (Worker[0]@end_done && Worker[1]@end_done) ->
    assert(Worker[0]:pieces + Worker[1]:pieces == 6);
end:
    false
}

ltl balanced { [] (supply + Worker[0]:pieces + Worker[1]:pieces == 6) }
ltl finishes { <> (Worker[0]@end_done && Worker[1]@end_done) }
