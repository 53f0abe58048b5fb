/* Another.
 *
 * expect: safety violated asertion
 */
init { assert(false) }
