/**
 * What a text says once everything that only machines read is gone: terminal sequences, HTML character references in
 * every spelling, hidden characters. The rules of the guard look at the result, and the result is what is sent, so no
 * renderer finds behind it anything that they did not see. Pure; called by unit.ts and for the inputs by addresses.ts.
 */
import { removeHidden } from '../characters.ts'

/** Colour and cursor sequences, whole: without their first character the rest would stand there as litter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const SEQUENCE = /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]/g

/** Names of references that can spell an address, a tag or the syntax of a link. */
const NAMED: Readonly<Record<string, string>> = Object.freeze({
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', tab: '\t', newline: '\n' },
  ...{ colon: ':', period: '.', sol: '/', bsol: '\\', commat: '@', num: '#', quest: '?', equals: '=' },
  ...{ percnt: '%', lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', excl: '!' },
  ...{ lowbar: '_', hyphen: '-', dash: '-', semi: ';', comma: ',', verbar: '|', vert: '|', grave: '`' },
  ...{ ast: '*', midast: '*', plus: '+', dollar: '$', lcub: '{', lbrace: '{', rcub: '}', rbrace: '}' },
})
const REFERENCE = /&(?:#([0-9]{1,8})|#x([0-9a-f]{1,7})|([a-z]{2,8})(?=;));?/gi
/** References inside references, such as `&amp;#58;`: deeper than any honest text, so what is left is broken. */
const MAX_DEPTH = 4

export function plainText(text: string): string {
  let plain = text.replace(SEQUENCE, '')
  for (let depth = 0; depth < MAX_DEPTH && plain.includes('&'); depth += 1) {
    const next = plain.replace(REFERENCE, character)
    if (next === plain) break
    plain = next
  }
  return removeHidden(plain.replace(REFERENCE, broken))
}

type Reference = [
  whole: string,
  decimal: string | undefined,
  hex: string | undefined,
  name: string | undefined,
]

function broken(...reference: Reference): string {
  const [whole] = reference
  return character(...reference) === whole ? whole : `& ${whole.slice(1)}`
}

function character(...[whole, decimal, hex, name]: Reference): string {
  if (name !== undefined) {
    const known = name.toLowerCase()
    return Object.hasOwn(NAMED, known) ? (NAMED[known] ?? whole) : whole
  }
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10)
  const isCharacter = point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
  return isCharacter ? String.fromCodePoint(point) : '\ufffd'
}
