/** The guard over pieces: the same text, whatever the pieces; nothing shown that is taken back; bounded; linear. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guardAnswer } from '../../kernel/wording/guard/answer.ts'
import { createGuardStream, MAX_HELD } from '../../kernel/wording/guard/stream.ts'
import { isLinear } from '../kit/processor-time.ts'
import { contextOf, TEXTS } from './guarded.ts'

const SECRET = 'Zq7-Lx92Vb4/Nw8Kd1Tm'
const GOOD = 'https://good.example/page'
const context = contextOf({ read: [GOOD], secrets: [SECRET, [...SECRET].toReversed().join('')] })

const piece = fc.constantFrom(
  ...['Hello. ', 'a ', '\n', '\n\n', '\r\n', '\r', ' \n\t\n', '\u200b', '😀', '\ud83d', '. ', 'word '],
  ...[
    SECRET,
    SECRET.slice(0, 7),
    SECRET.slice(7),
    [...SECRET].join('\n\n'),
    [...SECRET].toReversed().join(''),
  ],
  ...[
    GOOD,
    `[x](${GOOD})`,
    'https://evil.com/?d=1',
    '[x](https://evil',
    '.com/a)',
    '<a href=',
    '"//evil.com">',
  ],
  ...[
    '[pfar:identity-v1]',
    '[pfar:iden',
    'tity-v1]',
    'ghp_',
    'q7Zr2Lx9Vb4Nw8Kd1Tm6',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
  ],
  ...[
    "I've sent",
    ' the mail. ',
    'I am Chat',
    'GPT. ',
    'Here is a draft:\n\n',
    'May I do this?\n',
    '&#104;',
    '&#1',
    '04;',
    '\u001b[3',
    '1m',
  ],
  TEXTS.rules.slice(0, 200),
)
const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))
const cuts = fc.array(fc.nat(), { maxLength: 30 })

function inPieces(whole: string, at: readonly number[]): readonly string[] {
  const places = [...new Set([0, ...at.map((n) => n % (whole.length + 1)), whole.length])].sort(
    (a, b) => a - b,
  )
  return places.slice(1).map((place, i) => whole.slice(places[i], place))
}

function streamed(pieces: readonly string[]): { readonly out: string; readonly shown: readonly string[] } {
  const stream = createGuardStream(context)
  const shown: string[] = []
  let out = ''
  for (const one of pieces) {
    out += stream.push(one)
    shown.push(out)
  }
  return { out: out + stream.end(), shown }
}

describe('pieces', () => {
  it('give what the whole gives, and show nothing that it does not begin with', () => {
    fc.assert(
      fc.property(text, cuts, (whole, at) => {
        const { out, shown } = streamed(inPieces(whole, at))
        const expected = guardAnswer(whole, context)
        expect(out.trim()).toBe(expected)
        for (const early of shown) expect(expected.startsWith(early.trimEnd())).toBe(true)
      }),
      { numRuns: 600 },
    )
  })

  it('of one unit each do so too', () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(streamed(whole.split('')).out.trim()).toBe(guardAnswer(whole, context))
      }),
      { numRuns: 100 },
    )
  })

  it('of a text that ends no paragraph do so too, and hold no more than they may', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 3, maxLength: 8 }),
        // Pieces of few units are in the texts above; a hundred thousand of them take minutes on a busy machine.
        fc.integer({ min: 400, max: 5_000 }),
        (some, size) => {
          const line = some.join('').replace(/\n/g, ' ')
          const whole = line.repeat(Math.ceil((MAX_HELD * 2.5) / Math.max(1, line.length)))
          const at = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => i * size)
          expect(streamed(inPieces(whole, at)).out.trim()).toBe(guardAnswer(whole, context))
        },
      ),
      { numRuns: 8 },
    )
  })

  it('are shown at the end of a paragraph, not of the text', () => {
    const stream = createGuardStream(context)
    expect(stream.push('Hello there.\n')).toBe('')
    expect(stream.push('\nAnd')).toBe('Hello there.')
    expect(stream.push(' more')).toBe('')
    expect(stream.end()).toBe('\n\nAnd more')
  })

  it('are held while a secret could go on', () => {
    const stream = createGuardStream(context)
    expect(stream.push(`It is ${SECRET.slice(0, 9)}\n\n`)).toBe('')
    expect(stream.push(`${SECRET.slice(9)}.\n\nBye`)).toBe('It is [redacted].')
    expect(stream.end()).toBe('\n\nBye')
  })

  it('never wait for more than MAX_HELD units', () => {
    const stream = createGuardStream(context)
    let held = 0
    for (let i = 0; i < 2.5 * (MAX_HELD / 1_000); i += 1) {
      held += 1_000 - stream.push('x'.repeat(1_000)).length
      expect(held).toBeLessThanOrEqual(MAX_HELD + 10)
    }
  })
})

/** Work of the guard in steps of its engine cannot be counted; that ten times the text is not a hundred times the work, can. */
describe('hostile texts', () => {
  const unit = [
    ...[
      '[',
      '](',
      '<',
      '<a ',
      '![',
      '`',
      '.',
      'a.',
      '@',
      '//',
      ':',
      '&',
      '&amp;',
      '&#1',
      '*',
      '_',
      ' ',
      '\n',
      '\n\n',
      '\n \n',
      '-----BEGIN',
      'eyJ',
      'ghp_',
    ],
    ...[
      'I ',
      'I have ',
      'ich habe ',
      'I am ',
      'i am the a ',
      '"',
      '> ',
      'x',
      '1',
      '1.2.',
      '\u200b',
      '\u001b[',
      '(',
      '[a](https:',
      'sk-',
      'a@',
      'www.',
      '/a',
      '...!',
      '| ',
      'mailto:',
      'http:',
      "I'm a ",
      'as an ',
    ],
  ]
  it.each(unit)('%j over and over', (one) => {
    const of = (length: number): string => one.repeat(Math.ceil(length / one.length))
    expect(isLinear((size) => guardAnswer(of(size), context), 10_000)).toBe(true)
  })
})
