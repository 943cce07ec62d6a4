/**
 * What undo needs: the last change, and a way to call its inverse (DESIGN §9). Types only. Called by the operation
 * that undoes.
 */
import type { CallOperation, Undo } from '../../operations/caller.ts'

export interface LastChange {
  /** Operation that made the change. */
  readonly operation: string
  /** Call that reverts it; null when none does. */
  readonly undo: Undo | null
}

export interface ChangesPort {
  /** Newest change by this principal at this place; null when there is no recent one. */
  last(principal: string): LastChange | null
  /** Calls like any caller: the operation's own rules judge it. */
  readonly call: CallOperation
}
