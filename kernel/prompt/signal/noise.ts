/**
 * Messages that need no model (P-29): thanks, an "ok", an emoji. Whatever could answer something is a signal while
 * anything waits for an answer: a yes that was dropped is a task that never runs. Must not answer; only the owner's own
 * words are looked at. Called before a task is made.
 */

export type NoiseKind = 'empty' | 'thanks' | 'acknowledgement' | 'emoji'

export interface Waiting {
  /** A question, an approval, a credential or an offer of this conversation has no answer yet. */
  readonly pending: boolean
}

/** UTF-16 units. Whatever is longer says something. */
export const NOISE_MOST = 40

const THANKS =
  /^(?:(?:ok(?:ay)?|great|perfect|super|cool|nice),? )?(?:many thanks|thanks(?: a lot| so much| again)?|thank you(?: so much| very much| again)?|thx|ty|cheers|much appreciated)$/
const ACKNOWLEDGEMENT =
  /^(?:ok(?:ay)?|k|kk|alright|all right|got it|i see|noted|understood|cool|great|nice|good|fine|perfect|super|hm+|mhm|aha|ah|oh|lol|haha)(?: ok(?:ay)?| good| great| thanks)?$/
/** Pictures, their joiners and skin tones, and the signs that people draw faces with. */
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\s|[:;]-?[)(dp])+$/u

/**
 * Null for a signal. Never noise: a command, a longer message, a yes or a no, anything at all while an answer is awaited.
 */
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
