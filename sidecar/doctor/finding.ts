/** One thing that `pfar doctor` looked at, in a sentence. Must not hold content of anybody. Made by the looks of this folder. */
export interface Finding {
  readonly part: string
  /** `bad`: something does not work that was set up, or is not safe. `note`: good to know. */
  readonly state: 'ok' | 'note' | 'bad'
  readonly says: string
  /** What `pfar doctor --fix` may do about it; left out where its owner has to. */
  readonly mend?: Mend
}

/** Each is safe to do twice, and takes nothing away. */
export const MENDS = ['folders', 'modes', 'webhook', 'backup'] as const
export type Mend = (typeof MENDS)[number]

export const good = (part: string, says: string): Finding => ({ part, state: 'ok', says })
export const note = (part: string, says: string): Finding => ({ part, state: 'note', says })
export const bad = (part: string, says: string): Finding => ({ part, state: 'bad', says })
export const mendable = (mend: Mend, finding: Finding): Finding => ({ ...finding, mend })
