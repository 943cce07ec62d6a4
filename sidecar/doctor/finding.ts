/** One thing that `pfar doctor` looked at, in a sentence. Must not hold content of anybody. Made by the looks of this folder. */
export interface Finding {
  readonly part: string
  /** `bad`: something does not work that was set up, or is not safe. `note`: good to know. */
  readonly state: 'ok' | 'note' | 'bad'
  readonly says: string
}

export const ok = (part: string, says: string): Finding => ({ part, state: 'ok', says })
export const note = (part: string, says: string): Finding => ({ part, state: 'note', says })
export const bad = (part: string, says: string): Finding => ({ part, state: 'bad', says })
