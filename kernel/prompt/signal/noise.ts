/**
 * Messages that need no model (P-29): thanks, an "ok", an emoji. While a question is open, anything that could answer it is a
 * signal: dropping a yes would leave its task waiting. Must not answer; looks only at the owner's own words. Called before a
 * task is made.
 */

export type NoiseKind = 'empty' | 'thanks' | 'acknowledgement' | 'emoji'

export interface Waiting {
  /** True while a question, an approval, a credential or an offer of this conversation is unanswered. */
  readonly pending: boolean
}

/** Maximum UTF-16 units of noise. A longer message has content. */
export const NOISE_MOST = 40

const THANKS =
  /^(?:(?:ok(?:ay)?|great|perfect|super|cool|nice),? )?(?:many thanks|thanks(?: a lot| so much| again)?|thank you(?: so much| very much| again)?|thx|ty|cheers|much appreciated)$/
const ACKNOWLEDGEMENT =
  /^(?:ok(?:ay)?|k|kk|alright|all right|got it|i see|noted|understood|cool|great|nice|good|fine|perfect|super|hm+|mhm|aha|ah|oh|lol|haha)(?: ok(?:ay)?| good| great| thanks)?$/
/** Pictographs with joiners and skin tones, and ASCII emoticons. */
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\s|[:;]-?[)(dp])+$/u

/** Null for a signal. Never noise: a command, a longer message, a yes or a no, anything while an answer is awaited. */
export function noiseOf(text: string, { pending }: Waiting): NoiseKind | null {
  if (pending || text.length > NOISE_MOST) return null
  const bare = text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.!…]+$/, '')
    .trim()
  if (bare === '') return 'empty'
  if (EMOJI.test(bare)) return 'emoji'
  if (THANKS.test(bare)) return 'thanks'
  return ACKNOWLEDGEMENT.test(bare) ? 'acknowledgement' : null
}
