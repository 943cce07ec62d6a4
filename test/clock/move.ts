/** How an edge is told of a move of the test clock. Must import nothing: it goes into the edge's program as it stands. */

/** No request of anybody's has it. */
export const MOVE_HOST = 'test-clock.invalid'

export interface Move {
  readonly offset: number
  /** Every object that has stored something: the binding of its namespace, and ids. */
  readonly objects: readonly (readonly [space: string, ids: readonly string[]])[]
}
