/**
 * `finalize`: the only maker of a `FinalPrompt` (invariant 5, N-06). Opens every part for one named model,
 * lays them out in the order of DESIGN §4, and refuses what the model is not cleared for. Unwrap site 1.
 */
import type { Provenance } from '../flow/labeled.ts'
import type { PromptParts } from './parts.ts'

const MAKER: unique symbol = Symbol('finalize')

/** Opaque outside this file: the constructor asks for a symbol that never leaves it. */
export class FinalPrompt {
  readonly system: string
  readonly user: string
  readonly parts: PromptParts
  /** Label and taint of everything inside: what the answer will bear. */
  readonly provenance: Provenance
  /** The model it was opened for; another must not be given it. */
  readonly model: string

  constructor(maker: typeof MAKER, content: Omit<FinalPrompt, 'toJSON'>) {
    if (maker !== MAKER) throw new TypeError('only finalize makes a prompt')
    this.system = content.system
    this.user = content.user
    this.parts = content.parts
    this.provenance = content.provenance
    this.model = content.model
    Object.freeze(this)
  }

  toJSON(): never {
    throw new TypeError('a prompt is never serialised')
  }
}
