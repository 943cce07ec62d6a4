/** A text that is published as a post: its length, and what becomes a link, a mention or a tag in it (I-16). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { marksIn, postFault, postLength } from '../../kernel/tool/post.ts'

const SPEC = { field: 'text', graphemes: 300, bytes: 3_000 }
const shown = (text: string) => marksIn(text).map(({ kind, value }) => `${kind} ${value}`)

describe('what becomes a mark', () => {
  it.each([
    ['see https://example.org', ['link https://example.org']],
    ['https://example.org/a?b=c#d, and more', ['link https://example.org/a?b=c#d']],
    ['(https://example.org/a)', ['link https://example.org/a']],
    ['https://en.wikipedia.org/wiki/A_(b).', ['link https://en.wikipedia.org/wiki/A_(b)']],
    ['"https://example.org"', []],
    ['HTTPS://EXAMPLE.ORG!', ['link HTTPS://EXAMPLE.ORG']],
    ['https://user:pw@example.org', ['link https://user:pw@example.org']],
    ['http://a.example http://b.example', ['link http://a.example', 'link http://b.example']],
    ['example.org www.example.org ftp://example.org javascript:alert(1) https://', []],
    ['xhttps://example.org', []],
    ['@bob.test (@Eve.bsky.social)', ['mention bob.test', 'mention eve.bsky.social']],
    ['@bob.test’s, @bob.test: @bob.test.', ['mention bob.test', 'mention bob.test', 'mention bob.test']],
    ['bob@example.org @bob @.test @bob..test @bob.test_x @-bob.test', []],
    ['#Bread #Brötchen #24h ＃パン', ['tag Bread', 'tag Brötchen', 'tag 24h', 'tag パン']],
    ['#rock-n-roll #don’t!', ['tag rock-n-roll', 'tag don’t']],
    ['#1 # #! a#b https://example.org/#x', ['link https://example.org/#x']],
    [`#${'a'.repeat(65)} #${'b'.repeat(64)}`, [`tag ${'b'.repeat(64)}`]],
    ['https://example.org/\u200b/x', ['link https://example.org/']],
    ['', []],
  ])('%j: %j', (text, marks) => expect(shown(text)).toEqual(marks))

  it('is the bytes between its ends, in order, and overlaps nothing, in any text', () => {
    const part = fc.constantFrom(
      'https://a.example/x ',
      '@bob.test ',
      '#Brot',
      '🥖',
      'é',
      '(',
      ') ',
      '\n',
      '. ',
      'a',
    )
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(part).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (written) => {
        const bytes = Buffer.from(written)
        let behind = 0
        for (const { kind, value, start, end } of marksIn(written)) {
          expect(start).toBeGreaterThanOrEqual(behind)
          behind = end
          const cut = bytes.subarray(start, end).toString()
          if (kind === 'link') expect(cut).toBe(value)
          else if (kind === 'mention') expect(cut.toLowerCase()).toBe(`@${value}`)
          else expect(cut.slice(1)).toBe(value)
        }
        expect(postLength(written).bytes).toBe(bytes.length)
      }),
    )
  })
})

describe('the length of a post', () => {
  it.each([
    ['a', 1],
    ['é', 1],
    ['e\u0301', 1],
    ['👨‍👩‍👧‍👦🇩🇪', 2],
    ['a\r\nb', 3],
  ])('%j is %i', (text, graphemes) => expect(postLength(text).graphemes).toBe(graphemes))

  it.each([
    ['a'.repeat(300), null],
    ['a'.repeat(301), 'too_long'],
    ['👨‍👩‍👧‍👦'.repeat(120), null],
    ['👨‍👩‍👧‍👦'.repeat(121), 'too_long'],
    ['', 'empty'],
    ['\n\t ', 'empty'],
  ])('%.12j… is refused for %s', (text, code) => {
    expect(postFault(SPEC, text)).toBe(code)
  })
})
