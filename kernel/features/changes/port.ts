/** What takes back a change needs: what was changed last, and how to ask for what ends it (DESIGN §9). Types only. Called by the operation that undoes. */
import type { CallOperation, Undo } from '../../operations/caller.ts'

export interface LastChange {
  /** The operation that changed something. */
  readonly operation: string
  /** What takes it back; null where nothing does. */
  readonly undo: Undo | null
}

export interface ChangesPort {
  /** The newest of this principal's at this place; null where there is none of late. */
  last(principal: string): LastChange | null
  /** As anybody who may: it is judged by that operation's own rules. */
  readonly call: CallOperation
}
