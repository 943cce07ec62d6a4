/**
 * A text as a person would see it: references decoded, compatibility letters made plain (NFKC), nothing invisible, forced
 * right-to-left text turned to how it looks (N-20). A message written in invisible characters is replaced as a whole.
 * Must not judge words. Pure and linear; called by sanitize.ts and sanitize-name.ts.
 */
import { plainText } from '../wording/guard/plain.ts'

/** Tag characters, selectors in a row, zero-width ones in a row. */
const SMUGGLED =
  /\u{1f3f4}?[\u{e0020}-\u{e007f}]{4,}|(?:[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]){4,}|[\u200b-\u200d\u2060-\u2064\ufeff]{8,}/gu
/** A flag of a region: at most six tags and the one that ends them. */
const FLAG = /^\u{1f3f4}[\u{e0030}-\u{e007a}]{3,6}\u{e007f}$/u
/** Right-to-left override up to where it ends. */
const FORCED = /\u202e([^\u202c\u202e\n]{0,4000})\u202c?/g
/** Marks heaped on a letter: what NFKC leaves of one or two is a letter of some language. */
const HEAPED = /(\p{Script=Latin})\p{Mn}{2,}/gu
/** Superscripts, fractions and circled numbers keep their form: 10² is not 102. */
const NO_NUMBERS = /[^\p{No}]+/gu
/** Escapes in escapes: deeper than any honest text, so what is left is broken. */
const MAX_ROUNDS = 4

export interface Visible {
  readonly text: string
  /** Messages in invisible characters. */
  readonly hidden: number
}

/** `notice` stands where a message was hidden. Applied to its own result it changes nothing. */
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
