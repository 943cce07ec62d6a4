/** One result of `pfar doctor`, as a sentence. Must not contain anybody's content. Created by the checks in this folder. */
export interface Finding {
  readonly part: string
  /** `bad`: something that was set up does not work or is not safe. `note`: for information. */
  readonly state: 'ok' | 'note' | 'bad'
  readonly says: string
  /** Repair that `pfar doctor --fix` may do; absent if the owner has to act. */
  readonly mend?: Mend
}

/** Each repair is safe to repeat and deletes nothing. */
export const MENDS = ['folders', 'modes', 'webhook', 'backup'] as const
export type Mend = (typeof MENDS)[number]

export const good = (part: string, says: string): Finding => ({ part, state: 'ok', says })
export const note = (part: string, says: string): Finding => ({ part, state: 'note', says })
export const bad = (part: string, says: string): Finding => ({ part, state: 'bad', says })
export const mendable = (mend: Mend, finding: Finding): Finding => ({ ...finding, mend })
