/**
 * The caller of an operation, and the door used (DESIGN §9). Types and the order of doors only. Called by operations,
 * call.ts and the doors.
 */
import type { Labeled } from '../flow/labeled.ts'
import type { Place } from '../flow/place.ts'
import type { Result } from '../flow/verdict.ts'

/** Strictest first: home's terminal; the owner's private lines; any line of the owner's, including at the edge. */
export const DOORS = Object.freeze(['terminal', 'private', 'open'] as const)
export type Door = (typeof DOORS)[number]

export interface Caller {
  readonly principal: string
  readonly place: Place
  readonly door: Door
  /** Sink that the result is shown in. */
  readonly sink: string
  /** Id of the requesting message: a card must be approved in another one. */
  readonly message: string
  /** Task of that message, where it has one. */
  readonly task?: string
  /** The result is answered in a chat: a card must follow that answer, so that a bare "yes" refers to the card. */
  readonly behind?: boolean
  /** Set if a model's plan asks for the operation: text about the plan, shown below a card that the operation creates. */
  readonly planned?: Labeled<string>
}

export interface OperationCall {
  readonly operation: string
  readonly args: unknown
  readonly caller: Caller
}

/** Call that undoes a change. */
export interface Undo {
  readonly operation: string
  readonly args: Readonly<Record<string, string | number>>
}

/** Calls operations of one place. Refusals: those of `createOperations`. */
export type CallOperation = (call: OperationCall) => Promise<Result<unknown>>
