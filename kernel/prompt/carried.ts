/**
 * A prompt of the edge's `finalize`, as home hands it to a local model (N-06, D-03): the text that was laid out there, and
 * nothing that home could open, trim or add to. It is no `FinalPrompt`, which `finalize` alone makes, so no router takes it
 * and no cloud's adapter is reached through one. Must not repair what it is given. Called by runtime/serve-model.ts alone.
 *
 * Data: prompts up to `internal`. Readers: models of the owner's own. Rationale: who sent the text may be anybody who took
 * the edge over; all that comes of it is text that goes back there.
 */
import type { Provenance } from '../flow/labeled.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Picture } from '../task/picture.ts'
import { type FinalPrompt, MAX_PROMPT } from './finalize.ts'
import { withIdentity } from './identity.ts'
import type { Layout } from './layout.ts'

const MAKER: unique symbol = Symbol('receivePrompt')

/** Opaque outside this file, as a `FinalPrompt` is outside its own. */
export class CarriedPrompt {
  readonly stable: string
  readonly session: string
  readonly history: readonly string[]
  readonly now: string
  /** As the edge says it is; checked against both places before this was made. */
  readonly provenance: Provenance
  readonly picture: Picture | null

  constructor(
    maker: typeof MAKER,
    { stable, session, history, now }: Layout,
    { provenance, picture }: Omit<Carried, 'identity'>,
  ) {
    if (maker !== MAKER) throw new TypeError('only receivePrompt makes a carried prompt')
    this.stable = stable
    this.session = session
    this.history = history
    this.now = now
    this.provenance = provenance
    this.picture = picture
    Object.freeze(this)
  }

  /** See `FinalPrompt.system`. */
  get system(): string {
    return `${this.stable}\n\n${this.session}`
  }

  /** See `FinalPrompt.user`. */
  get user(): string {
    return `${this.history.join('')}${this.now}`
  }

  toJSON(): never {
    throw new TypeError('a prompt is never serialised')
  }
}

/** What a model reads that reads text: of this place's `finalize`, or of the edge's. */
export type PromptText = FinalPrompt | CarriedPrompt

export interface Carried {
  /** The hard identity as home itself would put it. */
  readonly identity: string
  readonly provenance: Provenance
  /** What the model is to look at. */
  readonly picture: Picture | null
}

/** Refusals: prompt_too_large; prompt_not_final, where other bytes than the identity come first. */
export function receivePrompt(layout: Layout, { identity, ...carried }: Carried): Result<CarriedPrompt> {
  const { stable, session, history, now } = layout
  if ([stable, session, ...history, now].reduce((sum, { length }) => sum + length, 0) > MAX_PROMPT)
    return err('prompt_too_large')
  if (withIdentity(stable, identity).repaired) return err('prompt_not_final')
  return ok(new CarriedPrompt(MAKER, layout, carried))
}
