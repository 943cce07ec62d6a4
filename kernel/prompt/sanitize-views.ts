/**
 * The views of a text that are searched for directives: folded, and, if the text hints at it, with digits as letters, in ROT13
 * and backwards (N-20). A view without a hint is not built. Pure and linear; called by sanitize-find.ts.
 */
import { foldText, type View } from './sanitize-fold.ts'

export interface Views {
  /** For rules of languages written in Latin letters. */
  readonly latin: readonly View[]
  /** For the others; null if the text has no letters of another script. */
  readonly other: View | null
}

const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u
/** A digit or sign between letters, or before some. */
const LEET = /[a-z][0134578@$!+|]+[a-z]|(?<![\p{L}\p{N}])[0134578@$+][a-z]{2}/u
/** Two variants, because `1` stands for both letters. */
const LEET_LETTERS = ['i', 'l'].map((one) => ({
  ...{ 0: 'o', 1: one, 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' },
  ...{ '@': 'a', $: 's', '!': 'i', '+': 't', '|': 'l' },
})) as readonly Readonly<Record<string, string>>[]
/** Words of directives in ROT13; no ordinary word contains them. */
const ROTATED = /vtaber|qvfertneq|sbetrg|vafgehpgvba|cebzcg|flfgrz|lbh ner|nffvfgnag|zbqr|bireevqr/
/** The same words backwards. */
const BACKWARDS = /erongi|drager?sid|tegrof|snoitcurtsni|tpmorp|metsys|era uoy|edom|edirrevo|tnatsissa/

export function viewsOf(text: string): Views {
  const plain = foldText(text, true)
  const latin = [plain]
  if (LEET.test(plain.text)) latin.push(...LEET_LETTERS.map((letters) => lettered(plain, letters)))
  if (ROTATED.test(plain.text)) latin.push({ ...plain, text: rotated(plain.text) })
  if (BACKWARDS.test(plain.text)) latin.push(reversed(plain))
  return { latin, other: OTHER_LETTER.test(text) ? foldText(text, false) : null }
}

function lettered(view: View, letters: Readonly<Record<string, string>>): View {
  return { ...view, text: view.text.replace(/[0134578@$!+|]/g, (sign) => letters[sign] ?? sign) }
}

function rotated(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97))
}

/** Reverses units, not characters: only Latin letters are searched in this view. */
function reversed({ text, starts, ends }: View): View {
  const turned = text.split('').toReversed().join('')
  return { text: turned, starts: starts.toReversed(), ends: ends.toReversed() }
}
