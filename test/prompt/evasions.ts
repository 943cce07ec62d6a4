/** Ways to write a text so that a filter does not see it and a model still reads it. Called by the sanitizer's tests. */

const each = (text: string, map: (character: string) => string): string => Array.from(text, map).join('')
const point = (character: string): number => character.codePointAt(0) ?? 0
const shift = (text: string, upper: number, lower: number): string =>
  each(text, (c) => {
    if (/[A-Z]/.test(c)) return String.fromCodePoint(upper + point(c) - 65)
    return /[a-z]/.test(c) ? String.fromCodePoint(lower + point(c) - 97) : c
  })
const swap = (text: string, pairs: string): string => {
  const map = new Map(pairs.split(' ').map((pair) => [pair[0] ?? '', pair.slice(1)]))
  return each(text, (c) => map.get(c) ?? map.get(c.toLowerCase()) ?? c)
}
const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (c) => {
    const base = c <= 'Z' ? 65 : 97
    return String.fromCharCode(((c.charCodeAt(0) - base + 13) % 26) + base)
  })
const bytes = (text: string, map: (byte: number) => string): string =>
  Array.from(Buffer.from(text), map).join('')
const hex = (n: number): string => n.toString(16).padStart(2, '0')
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const base32 = (text: string): string =>
  (bytes(text, (byte) => byte.toString(2).padStart(8, '0')).match(/.{1,5}/g) ?? [])
    .map((bits) => BASE32[Number.parseInt(bits.padEnd(5, '0'), 2)])
    .join('')

export const EVASIONS: readonly (readonly [name: string, spell: (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['upper case', (text) => text.toUpperCase()],
  ['zero-width spaces', (text) => [...text].join('\u200b')],
  ['word joiners', (text) => [...text].join('\u2060')],
  ['soft hyphens', (text) => [...text].join('\u00ad')],
  ['Cyrillic look-alikes', (text) => swap(text, 'aа eе oо pр cс yу xх iі sѕ jј')],
  ['Greek look-alikes', (text) => swap(text, 'oο vν aα iι tτ pρ')],
  [
    'full width',
    (text) => each(text, (c) => (c === ' ' ? '\u3000' : String.fromCodePoint(point(c) + 0xfee0))),
  ],
  ['mathematical bold', (text) => shift(text, 0x1d400, 0x1d41a)],
  ['mathematical script', (text) => shift(text, 0x1d4d0, 0x1d4ea)],
  ['monospace', (text) => shift(text, 0x1d670, 0x1d68a)],
  ['circled', (text) => shift(text, 0x24b6, 0x24d0)],
  ['small capitals', (text) => swap(text, 'aᴀ bʙ cᴄ dᴅ eᴇ gɢ hʜ iɪ lʟ mᴍ nɴ oᴏ pᴘ rʀ sꜱ tᴛ uᴜ vᴠ')],
  ['accents', (text) => swap(text, 'aä eé ií oô uü nñ')],
  ['heaped marks', (text) => each(text, (c) => (c === ' ' ? c : `${c}\u0335\u0321\u0353`))],
  [
    'spelled out',
    (text) =>
      text
        .split(' ')
        .map((word) => [...word].join(' '))
        .join('   '),
  ],
  [
    'dotted',
    (text) =>
      text
        .split(' ')
        .map((word) => [...word].join('.'))
        .join(' '),
  ],
  ['a word a line', (text) => text.replaceAll(' ', '\n')],
  ['wide gaps', (text) => text.replaceAll(' ', ' \t  ')],
  ['digits for letters', (text) => swap(text, 'a4 e3 i1 o0 s5')],
  [
    'emphasis',
    (text) =>
      text
        .split(' ')
        .map((word) => `**${word}**`)
        .join(' '),
  ],
  ['emoji between', (text) => text.split(' ').join(' 🔥 ')],
  ['underscores', (text) => text.replaceAll(' ', '_')],
  ['decimal references', (text) => each(text, (c) => `&#${point(c)};`)],
  ['hexadecimal references', (text) => each(text, (c) => `&#x${hex(point(c))};`)],
  ['references in references', (text) => each(text, (c) => `&amp;#${point(c)};`)],
  ['a comment', (text) => `<!-- ${text} -->`],
  [
    'a tag around each word',
    (text) =>
      text
        .split(' ')
        .map((word) => `<b>${word}</b>`)
        .join(' '),
  ],
  ['Base64', (text) => Buffer.from(text).toString('base64')],
  ['Base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
  ['Base64 twice', (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64')],
  ['Base32', base32],
  ['hexadecimal', (text) => bytes(text, hex)],
  ['hexadecimal in pairs', (text) => bytes(text, (byte) => `${hex(byte)} `).trim()],
  ['backslash x', (text) => bytes(text, (byte) => `\\x${hex(byte)}`)],
  ['backslash u', (text) => each(text, (c) => `\\u${point(c).toString(16).padStart(4, '0')}`)],
  ['percent', (text) => bytes(text, (byte) => `%${hex(byte)}`)],
  ['binary', (text) => bytes(text, (byte) => `${byte.toString(2).padStart(8, '0')} `).trim()],
  ['character codes', (text) => [...Buffer.from(text)].join(', ')],
  ['ROT13', rot13],
  ['backwards', (text) => [...text].toReversed().join('')],
  ['right-to-left override', (text) => `\u202e${[...text].toReversed().join('')}\u202c`],
  ['tag characters', (text) => each(text, (c) => String.fromCodePoint(0xe0000 + point(c)))],
  ['variation selectors', (text) => `OK${bytes(text, (byte) => String.fromCodePoint(0xe0100 + byte - 16))}`],
]
