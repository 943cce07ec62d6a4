/**
 * Text without anything that only machines interpret: terminal sequences, HTML character references in every spelling, hidden
 * characters. The guard's rules check this result and the result is sent, so no renderer finds anything behind it that they did
 * not see. Pure; called by unit.ts, and for the inputs by addresses.ts.
 */

/** Colour and cursor sequences as a whole: without the first character the rest would remain as visible text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const SEQUENCE = /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]/g

/** Named references that can spell an address, a tag or link syntax. */
const NAMED: Readonly<Record<string, string>> = Object.freeze({
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', tab: '\t', newline: '\n' },
  ...{ colon: ':', period: '.', sol: '/', bsol: '\\', commat: '@', num: '#', quest: '?', equals: '=' },
  ...{ percnt: '%', lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', excl: '!' },
  ...{ lowbar: '_', hyphen: '-', dash: '-', semi: ';', comma: ',', verbar: '|', vert: '|', grave: '`' },
  ...{ ast: '*', midast: '*', plus: '+', dollar: '$', lcub: '{', lbrace: '{', rcub: '}', rbrace: '}' },
})
const REFERENCE = /&(?:#([0-9]{1,8})|#x([0-9a-f]{1,7})|([a-z]{2,8})(?=;));?/gi
/** Maximum nesting of references such as `&amp;#58;`, more than honest text needs; deeper ones are broken up. */
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

/** Control, format and default-ignorable characters and the two separators, except tab and newline. */
const HIDDEN = /(?![\n\t])(?:\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029])/gu

export function removeHidden(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(HIDDEN, '')
}
