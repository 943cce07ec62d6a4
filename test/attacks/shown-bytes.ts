/**
 * Whether a card shows every byte of a text, read anew from what a person is told of cards: `⟨U+…⟩` is a character that
 * cannot be seen, any other ⟨…⟩ is said by the kernel, and a line after a bar goes on with the text above. A text that was
 * replaced by another, however well it was meant, is not shown. Must not use the kernel's own wording. Called by oracle.ts.
 */

/** Whatever a reader cannot see, or sees as another. */
const UNSEEN = /[^\P{C}\n]|\p{Zl}|\p{Zp}|[^\P{Zs} ]|\p{Default_Ignorable_Code_Point}|[⟨⟩\u2800]/gu
const ESCAPE = /⟨U\+([0-9A-F]{4,6})(?: [A-Z]{2,4})?⟩/g
const NOTE = / ⟨(?!U\+)[^⟨⟩]*⟩/g

/** What is only true or false is said as people say it, and so is what a DNS record would stand beside. */
const SAID: Readonly<Record<string, RegExp>> = {
  ...{ true: /: yes$/m, false: /: no$/m, nothing: /: nothing(?: yet)?$/m, others: /: other records/ },
  same: /: EXACTLY THIS RECORD ALREADY/,
  alone: /: AN ALIAS \(CNAME\) CANNOT STAND/,
  delegated: /: OTHER NAME SERVERS ANSWER/,
}

export function showsEveryByte(card: string, leaf: string): boolean {
  if (SAID[leaf]?.test(card) === true) return true
  const read = card.replace(/\n {4,6}\| /g, '\n').replace(ESCAPE, '⟨$1⟩')
  const wanted = leaf.replace(UNSEEN, escaped)
  // A note stands after a host or an address; a text may hold its own signs, which are escaped.
  return [read, read.replace(NOTE, '')].some((one) => one.includes(wanted))
}

/** The sign that colours a pictograph may stand as it is, or be named. */
function escaped(character: string): string {
  return `⟨${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}
