/** The searcher of the canary test finds what is planted, in every form and cut in two, and nothing else. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canaryOf, canaryText, createSearcher, WINDOW } from './canary-search.ts'

const VALUE = canaryText()
/** What escaping changes: quotes, spaces, letters beyond ASCII. */
const ODD = 'kä "9&€\\ü/ 5?+%\n\u{1f600}zß#~€&ü"x'
const KEY = randomBytes(32)
const canaries = [canaryOf('value', VALUE), canaryOf('odd', ODD), canaryOf('key', KEY)]
const search = createSearcher(canaries)
const found = (planted: string | Uint8Array): readonly string[] => [
  ...new Set(
    search(Buffer.concat([randomBytes(99), Buffer.from(planted), randomBytes(99)])).map(
      ({ canary }) => canary,
    ),
  ),
]
const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8')

const FORMS: readonly (readonly [string, (value: Buffer) => string | Buffer])[] = [
  ['raw', (value) => value],
  ['base64', (value) => value.toString('base64')],
  ['base64 behind one byte', (value) => Buffer.concat([bytesOf('x'), value]).toString('base64')],
  ['base64 behind two bytes', (value) => Buffer.concat([bytesOf('xy'), value]).toString('base64')],
  ['base64url', (value) => value.toString('base64url')],
  ['base64url behind one byte', (value) => Buffer.concat([bytesOf('x'), value]).toString('base64url')],
  ['base64url behind two bytes', (value) => Buffer.concat([bytesOf('xy'), value]).toString('base64url')],
  ['hex', (value) => value.toString('hex')],
  ['hex in capitals', (value) => value.toString('hex').toUpperCase()],
  ['every byte URL-encoded', (value) => value.toString('hex').replace(/../g, '%$&')],
  ['UTF-16 of Windows', (value) => Buffer.from([...value].flatMap((byte) => [byte, 0]))],
]
const OF_TEXT: readonly (readonly [string, (text: string) => string | Buffer])[] = [
  ['URL-encoded', (text) => encodeURIComponent(text)],
  ['as a form', (text) => new URLSearchParams({ q: text }).toString()],
  ['JSON', (text) => JSON.stringify({ text })],
  [
    'JSON with every letter escaped',
    (text) => [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
]

describe.each([
  ['value', bytesOf(VALUE)],
  ['odd', bytesOf(ODD)],
  ['key', KEY],
] as const)('%s', (name, value) => {
  test.each(FORMS)('is found: %s', (_, plant) => {
    expect(found(plant(value))).toEqual([name])
  })

  test.each(FORMS)('is found cut in two anywhere, in one of the pieces: %s', (_, plant) => {
    for (let cut = 1; cut < value.length; cut += 1) {
      const pieces = [value.subarray(0, cut), value.subarray(cut)].flatMap((piece) => found(plant(piece)))
      expect(pieces).toContain(name)
    }
  })
})

test.each(OF_TEXT)('text is found: %s', (_, plant) => {
  expect(found(plant(VALUE))).toEqual(['value'])
})

test.each(OF_TEXT.slice(0, 1))('text that needs it is found: %s', (_, plant) => {
  expect(found(plant(ODD))).toEqual(['odd'])
})

test('in capitals', () => {
  expect(found(VALUE.toUpperCase())).toEqual(['value'])
})

test('a piece of twice a window is enough, wherever it was cut', () => {
  for (let from = 0; from <= VALUE.length - (2 * WINDOW - 1); from += 1)
    expect(found(VALUE.slice(from, from + 2 * WINDOW - 1))).toEqual(['value'])
})

test('nothing is found where nothing is', () => {
  expect(search(randomBytes(4_000_000))).toEqual([])
  expect(found(canaryText())).toEqual([])
  expect(found(VALUE.slice(0, WINDOW - 1))).toEqual([])
})

test('what is too short to be told from chance is refused', () => {
  expect(() => createSearcher([canaryOf('short', 'abc1234')])).toThrow(RangeError)
})
