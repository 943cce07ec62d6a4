/**
 * Messages between edge and home (DESIGN §7): plain data that crosses the tunnel; and what an operation may do with one
 * bot for both lines. Types only. The edge's `Powers` hold a `HomeLink`.
 */
import type { FieldGrant } from '../../flow/grant.ts'
import type { Json } from '../../flow/json.ts'
import type { Provenance } from '../../flow/labeled.ts'
import type { Result } from '../../flow/verdict.ts'
import type { CodeUse, UnsentNews } from '../../tunnel/synced.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'

/** Edge only: persists and sends messages to home without waiting, and holds what home last synced. */
export interface HomeLink {
  /** Requests one tool call whose result the edge is cleared for. */
  ask(call: HomeCall): Promise<Result<true>>
  /** Sends a fact of its owner, for home's shard of the session. */
  tell(memory: OpenMemory): Promise<Result<true>>
  /**
   * Sends turns of its owner, in order; returns a result for each. `anyway`: also while home is not connected. Refusal:
   * home_offline; this turn and those after it were not taken and are sent again later.
   */
  tellTurns(turns: readonly OpenMemory[], anyway: boolean): Promise<readonly Result<true>[]>
  /** Forwards a one-time code that was sent here; only home decides about it (F-15). */
  tellCode(said: CodeUse): Promise<Result<true>>
  /**
   * Reports a delivery to the owner's chat here that waits or was given up; home notifies the owner in a chat of its
   * own, if home is connected now (F-18). Absent where no such report is wanted.
   */
  unsent?(news: UnsentNews): void
  /** Whether home is connected, as far as this place knows; false when it cannot tell. */
  up(): Promise<boolean>
  /**
   * Grants for any requester, as last synced from home and not yet expired here; home checks its own rows when it is
   * called.
   */
  granted(): readonly FieldGrant[]
}

/** A turn of the owner on a line of the edge, or a fact saved or forgotten there. Home treats it as untrusted. */
export interface OpenMemory {
  /** Duplicates are ignored. */
  readonly id: string
  readonly principal: string
  readonly what: 'turn' | 'fact' | 'forgotten'
  /** Time of the turn, epoch milliseconds. */
  readonly at: number
  readonly content: Json
}

export interface HomeCall {
  /** Effect id: a repeated request is the same request. */
  readonly id: string
  readonly task: string
  readonly step: number
  readonly trace: string
  readonly template: string
  readonly principal: string
  readonly tool: string
  readonly args: Json
  readonly provenance: Provenance
  /** Epoch milliseconds after which the answer is useless, by the clock of the place that holds this. */
  readonly deadline: number
  /** Chat of a stranger, for whom home checks its grants; absent when the owner asks. */
  readonly sink?: string
}

export type HomeAnswer = { readonly id: string; readonly task: string; readonly step: number } & (
  | {
      readonly ok: true
      readonly output: Json
      readonly label: string
      readonly inputs: Provenance
      readonly reported: string | null
    }
  | { readonly ok: false; readonly reason: string }
)

/** One bot for both lines (DESIGN §1). */
export interface BothLinesPort {
  /**
   * Sends the approval card. Refusals: sink_unknown when the edge has no bot, those of the request to the edge, those of
   * `proposeBothLines`.
   */
  acknowledge(proposer: Proposer): Promise<Result<Proposed>>
  /** Refusal: grant_missing. */
  withdraw(principal: string): Promise<Result<{ readonly grant: string }>>
}
