/** Rendering of an answer for Telegram: its formatting, its parts, and no links (H-15). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../integrations/channels/runtime/markdown.ts'
import { MAX_MESSAGE, type Part, partsOf } from '../../integrations/channels/telegram/render.ts'
import { checkEntities, checkText } from '../fakes/telegram-checks.ts'
import { processorTime } from '../kit/processor-time.ts'

const SHORT: Readonly<Record<string, string>> = { strikethrough: 'strike', blockquote: 'quote' }

/** Text with its entities as `<bold:…>`. */
function shown({ text, entities }: Part): string {
  const marks = entities.flatMap(({ type, offset, length }, at) => [
    { place: offset, order: at, mark: `<${SHORT[type] ?? type}:` },
    { place: offset + length, order: -at - 1, mark: '>' },
  ])
  const placed = marks.toSorted((a, b) => b.place - a.place || b.order - a.order)
  return placed.reduce((whole, { place, mark }) => whole.slice(0, place) + mark + whole.slice(place), text)
}

const render = (markdown: string): string => partsOf(renderMarkdown(markdown)).map(shown).join('|')

describe('formatting for Telegram', () => {
  it.each([
    ['plain', 'plain'],
    ['**bold** and *italic* and _italic_', '<bold:bold> and <italic:italic> and <italic:italic>'],
    ['__bold__, ~~gone~~.', '<bold:bold>, <strike:gone>.'],
    ['**bold with `code` in it**', '<bold:bold with ><code:code><bold: in it>'],
    ['**bold *and italic* too**', '<bold:bold <italic:and italic> too>'],
    ['`**not bold**`', '<code:**not bold**>'],
    ['# Heading\ntext', '<bold:Heading>\ntext'],
    ['### Heading ##\ntext', '<bold:Heading>\ntext'],
    ['- one\n  * two\n+ three', '• one\n  • two\n• three'],
    ['1. one\n2. two', '1. one\n2. two'],
    ['> said\n> twice\nno more', '<quote:said\ntwice>\nno more'],
    ['```ts\nconst a = 1\n**b**\n```\nend', '<pre:const a = 1\n**b**>\nend'],
    ['```\nnever ends', '```\nnever ends'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['2*3*4', '2*3*4'],
    ['snake_case_name and __init__.py', 'snake_case_name and __init__.py'],
    ['a ** b ** c', 'a ** b ** c'],
    ['**never closed', '**never closed'],
    ['#hashtag', '#hashtag'],
    ['☕ **bold** 🎉 *x*', '☕ <bold:bold> 🎉 <italic:x>'],
  ])('Markdown is rendered as entities: %j', (markdown, expected) => expect(render(markdown)).toBe(expected))

  it.each([
    'evil**.**com',
    'e**vil**.com',
    '**evil**.com',
    'http:**//evil**.com',
    '_www_.evil.com',
    'x`@`evil.com',
    'evil`.com`',
    '`evil`.com',
    'evil**.com**',
    '/**help**',
    '@**someone**',
    '[a](https://example.com)',
  ])('%s stays unformatted, so that no two parts join to an address, a command or a name', (markdown) =>
    expect(partsOf(renderMarkdown(markdown))).toEqual([{ text: markdown, entities: [] }]),
  )

  it('rendering many marks takes time linear in the length', () => {
    const marks = ['**a ', '*a ', '`a ', '_a ', '~~a ', '> ', '```\n', '# ']
    expect(processorTime(() => marks.map((mark) => render(mark.repeat(5_000))), 1)).toBeLessThan(5_000)
  })
})

describe('parts of a long answer', () => {
  const words = (n: number): string => 'word '.repeat(n).trim()
  it.each<[string, string, readonly string[]]>([
    ['between paragraphs', `${'a'.repeat(14)}\n\n${'b'.repeat(10)}`, ['a'.repeat(14), 'b'.repeat(10)]],
    ['between lines', `${'a'.repeat(14)}\n${'b'.repeat(10)}`, ['a'.repeat(14), 'b'.repeat(10)]],
    ['between sentences', 'aaaaaaa aaaa. bb bb bb bb', ['aaaaaaa aaaa.', 'bb bb bb bb']],
    ['between words', words(5), ['word word word word', 'word']],
    ['where there is no place', 'a'.repeat(30), ['a'.repeat(20), 'a'.repeat(10)]],
    ['never within a character', `${'a'.repeat(19)}🎉b`, ['a'.repeat(19), '🎉b']],
    ['of white space there is none', `a${' \n'.repeat(40)}b`, ['a', 'b']],
  ])('a long answer is split: %s', (_name, text, parts) =>
    expect(partsOf([{ text, styles: [] }], 20).map((part) => part.text)).toEqual(parts),
  )

  it('an entity that spans two parts continues in the second', () =>
    expect(partsOf(renderMarkdown('**aaaaaaaa bbbb cccc dddd eeee**'), 20).map(shown)).toEqual([
      '<bold:aaaaaaaa bbbb cccc>',
      '<bold:dddd eeee>',
    ]))

  it('ten thousand characters become three messages without loss', () => {
    const text = [...new Array(200).keys()]
      .map((n) => `Sentence **${n}** of a long answer, in words.`)
      .join(' ')
    const parts = partsOf(renderMarkdown(text + text.slice(0, 2_000)))
    expect(parts.map((part) => part.text).join(' ')).toBe((text + text.slice(0, 2_000)).replaceAll('**', ''))
    expect(parts.length).toBe(3)
  })

  it('every part of any answer is within Telegram’s limits', () => {
    const piece = fc.constantFrom(
      '**',
      '*',
      '_',
      '__',
      '~~',
      '`',
      '```\n',
      '> ',
      '# ',
      '- ',
      '\n',
      ' ',
      'word',
      '🎉',
      '.',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), fc.integer({ min: 20, max: 200 }), (pieces, most) => {
        for (const part of partsOf(renderMarkdown(pieces.join('')), most)) {
          checkEntities(part.entities, checkText(part.text))
          expect(part.text.length).toBeLessThanOrEqual(Math.min(most, MAX_MESSAGE))
        }
      }),
      { numRuns: 500 },
    )
  })
})
