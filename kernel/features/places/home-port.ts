/**
 * What the edge asks of home and tells it, and what comes back (DESIGN §7): plain data that crosses the tunnel. Types alone.
 * The edge's `Powers` hold a `HomeLink`.
 */
import type { FieldGrant } from '../../flow/grant.ts'
import type { Json } from '../../flow/json.ts'
import type { Provenance } from '../../flow/labeled.ts'
import type { Result } from '../../flow/verdict.ts'
import type { SaidCode } from '../../tunnel/told-links.ts'
import type { UnsentNews } from '../../tunnel/unsent-news.ts'

/** Edge only: what goes from there to home, which persists and never waits, and what home has said. */
export interface HomeLink {
  /** Asks for one tool call whose result the edge is cleared to read. */
  ask(call: HomeCall): Promise<Result<true>>
  /** Tells what the edge remembers of its owner, for home's shard of his session. */
  tell(memory: OpenMemory): Promise<Result<true>>
  /** Hands on a one-time code that was said here, and decides nothing about it: home does (F-15). */
  tellCode(said: SaidCode): Promise<Result<true>>
  /**
   * Something meant for the owner's chat here waits for it, or will not come; home tells it in a chat of its own if it is there now (F-18).
   * Absent where nobody is to hear of it.
   */
  unsent?(news: UnsentNews): void
  /** Whether home is connected, as far as this place knows now; false when it cannot tell. */
  up(): Promise<boolean>
  /** What home has granted to whoever asks, as far as its word still counts here; home looks for itself when it is asked. */
  granted(): readonly FieldGrant[]
}

/** A turn of the owner's on a line of the edge, or a fact that he saved or forgot there. Home believes nothing of it. */
export interface OpenMemory {
  /** Told twice is told once. */
  readonly id: string
  readonly principal: string
  readonly what: 'turn' | 'fact' | 'forgotten'
  /** When it was said, epoch milliseconds. */
  readonly at: number
  readonly content: Json
}

export interface HomeCall {
  /** Effect id: asking twice is asking once. */
  readonly id: string
  readonly task: string
  readonly step: number
  readonly trace: string
  readonly template: string
  readonly principal: string
  readonly tool: string
  readonly args: Json
  readonly provenance: Provenance
  /** Epoch milliseconds after which nobody wants the answer, by the clock of the place that holds this. */
  readonly deadline: number
  /** Chat of a stranger, for whom home looks at its grants; absent where the owner asks. */
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
