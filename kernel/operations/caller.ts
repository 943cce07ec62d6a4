/** Who asks for an operation, and by which door (DESIGN §9). Types and their order only. Called by the operations, their one caller, and the doors. */
import type { Place } from '../flow/place.ts'
import type { Result } from '../flow/verdict.ts'

/** From the strictest: home's terminal; the owner's private lines; any line of the owner's, at the edge, too. */
export const DOORS = Object.freeze(['terminal', 'private', 'open'] as const)
export type Door = (typeof DOORS)[number]

export interface Caller {
  readonly principal: string
  readonly place: Place
  readonly door: Door
  /** What is shown is shown there. */
  readonly sink: string
  /** Names the message that asks: the yes to a card comes in another. */
  readonly message: string
  /** It is answered in a chat: a card that is put comes behind that answer, so that a bare yes is to the card. */
  readonly behind?: boolean
}

export interface OperationCall {
  readonly operation: string
  readonly args: unknown
  readonly caller: Caller
}

/** What takes a change back: an operation to ask for. */
export interface Undo {
  readonly operation: string
  readonly args: Readonly<Record<string, string | number>>
}

/** Calls operations of one place. Refusals: those of `createOperations`. */
export type CallOperation = (call: OperationCall) => Promise<Result<unknown>>
