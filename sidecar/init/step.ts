/** One question of `pfar init`: what is there, what is asked, what an answer does. Types only. */

/** Set up already, or nothing that could be set up here: `says` why. */
export interface Settled {
  readonly state: 'done' | 'absent'
  readonly says: string
}

export type Look =
  | Settled
  /** `usual`: what Enter means. */
  | { readonly state: 'due'; readonly question: string; readonly usual: string }

export interface Taken {
  /** False: the question is put again. */
  readonly ok: boolean
  readonly says: string
}

export interface Step {
  readonly name: string
  /** Of one word, before what it came to. */
  readonly title: string
  look(): Promise<Look>
  /** `answer` as it was typed, or `usual`. It is checked here before anything is kept. */
  take(answer: string): Promise<Taken>
}

/** Told of on the way, and never asked. */
export interface Told extends Pick<Step, 'title'> {
  look(): Promise<Settled>
}

export const taken = (says: string): Taken => ({ ok: true, says })
export const again = (says: string): Taken => ({ ok: false, says })
