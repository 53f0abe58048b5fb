/* What is no model.
 *
 * expect: safety holds
 */
init { skip
