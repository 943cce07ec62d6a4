/**
 * How the owner wants to be answered until he says otherwise (P-30), with the label of the words in which he said so: in a
 * chat that may not see those, it is not known. Guidance for an answer's tone; the import rule keeps it from every verdict
 * (P-31). Kept in his tasks, each of which takes over what the one before had.
 */
import type { Provenance } from '../flow/labeled.ts'
import type { Steering } from '../prompt/signal/steer.ts'

export interface Manner extends Steering {
  readonly said: Provenance
}
