/**
 * A prompt finalised by the edge, which home forwards to a local model (N-06, D-03). No `FinalPrompt`, so no router or cloud
 * adapter accepts it. Must not open, trim, extend or repair it. Called by features/models/serve-model.ts only. Data: prompts up
 * to `internal`. Readers: local models. Rationale: the sender may be a compromised edge; the result goes back only there.
 */
import type { Provenance } from '../flow/labeled.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Picture } from '../task/picture.ts'
import { type FinalPrompt, MAX_PROMPT } from './finalize.ts'
import { withIdentity } from './identity.ts'
import type { Layout } from './layout.ts'

const MAKER: unique symbol = Symbol('receivePrompt')

/** Opaque outside this file, like a `FinalPrompt` outside its own. */
export class ForwardedPrompt {
  readonly stable: string
  readonly session: string
  readonly history: readonly string[]
  readonly now: string
  /** As claimed by the edge; checked against both places before this object was made. */
  readonly provenance: Provenance
  readonly picture: Picture | null

  constructor(
    maker: typeof MAKER,
    { stable, session, history, now }: Layout,
    { provenance, picture }: Omit<ForwardedParts, 'identity'>,
  ) {
    if (maker !== MAKER) throw new TypeError('only receivePrompt makes a forwarded prompt')
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

/** What a text-reading model gets: from this place's `finalize`, or from the edge's. */
export type PromptText = FinalPrompt | ForwardedPrompt

export interface ForwardedParts {
  /** The hard identity as in home's own prompts. */
  readonly identity: string
  readonly provenance: Provenance
  /** The picture for a vision model. */
  readonly picture: Picture | null
}

/** Refusals: prompt_too_large; prompt_not_final when the identity is not the first bytes. */
export function receivePrompt(
  layout: Layout,
  { identity, ...parts }: ForwardedParts,
): Result<ForwardedPrompt> {
  const { stable, session, history, now } = layout
  if ([stable, session, ...history, now].reduce((sum, { length }) => sum + length, 0) > MAX_PROMPT)
    return err('prompt_too_large')
  if (withIdentity(stable, identity).repaired) return err('prompt_not_final')
  return ok(new ForwardedPrompt(MAKER, layout, parts))
}
