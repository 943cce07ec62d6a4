/**
 * Makes a text visible (N-20): hidden characters, forced text direction, character references, compatibility
 * forms and stacked marks. Must not judge what it says. Pure and linear; called by sanitize.ts and by training.
 */
import { plainText } from '../wording/guard/plain.ts'

/** Tag characters, or several variation selectors or zero-width characters in a row. */
const SMUGGLED =
  /\u{1f3f4}?[\u{e0020}-\u{e007f}]{4,}|(?:[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]){4,}|[\u200b-\u200d\u2060-\u2064\ufeff]{8,}/gu
/** A regional flag: at most six tags and the terminating one. */
const FLAG = /^\u{1f3f4}[\u{e0030}-\u{e007a}]{3,6}\u{e007f}$/u
/** A right-to-left override up to its end. */
const FORCED = /\u202e([^\u202c\u202e\n]{0,4000})\u202c?/g
/** Several marks on one letter. One or two marks that NFKC leaves form a letter of some language. */
const HEAPED = /(\p{Script=Latin})\p{Mn}{2,}/gu
/** Superscripts, fractions and circled numbers are not normalised: 10² is not 102. */
const NO_NUMBERS = /[^\p{No}]+/gu
/** Maximum rounds of decoding escapes inside escapes, more than honest text needs. Escapes that remain are broken up. */
const MAX_ROUNDS = 4

export interface Visible {
  readonly text: string
  /** Number of messages in invisible characters. */
  readonly hidden: number
}

/** `notice` replaces a hidden message. Idempotent. */
export function visibleText(raw: string, notice: string): Visible {
  let hidden = 0
  let text = raw
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = text
    text = text.replace(SMUGGLED, (run) => {
      if (FLAG.test(run)) return '\u{1f3f4}'
      hidden += 1
      return ` ${notice} `
    })
    text = text.replace(FORCED, (_, inside: string) => [...inside].toReversed().join(''))
    text = plainText(text).replace(NO_NUMBERS, (run) => run.normalize('NFKC'))
    text = text.replace(HEAPED, '$1')
    if (text === before) return { text, hidden }
  }
  return { text: text.replace(/&(?=[#a-z])/gi, '& '), hidden }
}
