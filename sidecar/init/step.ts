/** Types of one question of `pfar init`: its state, its question, and the effect of an answer. */

/** Already set up, or cannot be set up here; `says` explains. */
export interface Settled {
  readonly state: 'done' | 'absent'
  readonly says: string
}

export type Look =
  | Settled
  /** `usual`: the answer that Enter gives. */
  | { readonly state: 'due'; readonly question: string; readonly usual: string }

export interface Taken {
  /** False: the question is asked again. */
  readonly ok: boolean
  readonly says: string
}

export interface Step {
  readonly name: string
  /** One word, shown before the result. */
  readonly title: string
  look(): Promise<Look>
  /** `answer`: as typed, or `usual`. Validated before anything is stored. */
  take(answer: string): Promise<Taken>
}

/** Shown during `pfar init` without a question. */
export interface Told extends Pick<Step, 'title'> {
  look(): Promise<Settled>
}

export const taken = (says: string): Taken => ({ ok: true, says })
export const again = (says: string): Taken => ({ ok: false, says })
