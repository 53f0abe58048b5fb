/* A mistake.
 *
 * expct: safety holds
 */
init { skip }
