/**
 * The tone that the owner asked for, which holds until the owner changes it (P-30), with the label of the words that asked; it
 * is unknown in a chat that may not see those words. Copied from each task of the owner's to the next. Must not influence a
 * verdict: the import rule checks it (P-31). Affects only the tone of an answer.
 */
import type { Provenance } from '../flow/labeled.ts'
import type { Steering } from '../prompt/signal/steer.ts'

export interface Manner extends Steering {
  readonly said: Provenance
}
