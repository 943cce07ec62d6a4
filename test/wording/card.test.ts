/**
 * What an approval card shows is what will run (F-03): no two calls look the same, nothing is hidden, nothing forged,
 * nothing below a fold uncounted.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Authors } from '../../kernel/features/approvals/card/authors.ts'
import { beforeQuestion, renderCard } from '../../kernel/features/approvals/card/card.ts'
import { foldCard, SHOWN_LINE, SHOWN_LINES } from '../../kernel/features/approvals/card/card-face.ts'
import { canonicalJson, type Json } from '../../kernel/flow/json.ts'
import { test as testInside } from '../../kernel/flow/labeled.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { createRegistry, type RegisteredAction } from '../../kernel/tool/registry.ts'
import { showHosts, showUnseen } from '../../kernel/wording/visible.ts'

const CALENDAR = TOOL_MANIFESTS.filter(({ name }) => name === 'calendar')
const REGISTRY = createRegistry(CALENDAR)
const CONTACTS = [{ name: 'Sarah Chen', email: 'sarah@known.example' }]
const AUTHORS: Authors = { owner: ['title'], others: ['attendees'] }
const NOW = Date.parse('2026-11-23T22:44:00Z')
const ACTION = actionOf('calendar.create_event')

function actionOf(id: string): RegisteredAction {
  const action = REGISTRY.actions.get(id)
  if (action === undefined) throw new Error(id)
  return action
}

type Arguments = { readonly [key: string]: Json }

/** The text of a card, as only a test may have it. */
function cardOf(args: Arguments): string {
  const input = {
    action: ACTION,
    reason: 'write_raw',
    sink: 'sink:calendar:owner',
    contacts: CONTACTS,
    cut: false,
    authors: AUTHORS,
    timezone: 'America/New_York',
    now: NOW,
  } as const
  let text = ''
  testInside(renderCard(receive(args, kernelWords()), input), (card) => {
    text = card
    return true
  })
  return text
}

function linesOf(args: Arguments): readonly string[] {
  return cardOf(args).split('\n')
}

/** Everything that a forger has: layout, escapes, hidden characters, the words of the card itself. */
const piece = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom(
    '\n',
    '\r',
    '\t',
    ' ',
    '\u00a0',
    '\u202e',
    '\u2066',
    '\u200b',
    '\u2028',
    '\ufeff',
    '\u{e0041}',
  ),
  fc.constantFrom(
    '⟨',
    '⟩',
    '⟨U+202E RLO⟩',
    '    | ',
    '    - ',
    '  title: ',
    '"',
    '(none)',
    '[]',
    '{}',
    '\ud800',
  ),
  fc.constantFrom('true', '5', 'null', 'а', 'a', 'аpple.com', 'xn--pple-43d.com', '❤\ufe0f', 'Goes to '),
)
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
const scalar = fc.oneof(text, fc.boolean(), fc.integer(), fc.constant(null))
const args: fc.Arbitrary<Arguments> = fc.dictionary(
  fc.constantFrom('title', 'from', 'to', 'attendees'),
  fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(fc.constantFrom('a', 'b'), scalar)),
)

describe('a card', () => {
  it('is never the same for other bytes', () => {
    fc.assert(
      fc.property(args, args, (one, other) => {
        expect(cardOf(one) === cardOf(other)).toBe(canonicalJson(one) === canonicalJson(other))
      }),
      { numRuns: 1_000 },
    )
  })

  it('is never the same for one character more, less or other', () => {
    fc.assert(
      fc.property(text, fc.nat(20), piece, (title, at, extra) => {
        const changed = title.slice(0, at) + extra + title.slice(at)
        expect(cardOf({ title }) === cardOf({ title: changed })).toBe(title === changed)
      }),
      { numRuns: 1_000 },
    )
  })

  it('holds no raw control, bidirectional or invisible character, whole or folded', () => {
    fc.assert(
      fc.property(args, (values) => {
        for (const card of [cardOf(values), foldCard(cardOf(values), 'a1')])
          expect(card.replaceAll('\n', '').replaceAll('❤\ufe0f', '')).not.toMatch(
            /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u,
          )
      }),
      { numRuns: 1_000 },
    )
  })

  it('has no line of its own that a value wrote', () => {
    fc.assert(
      fc.property(text, (title) => {
        const plain = linesOf({ title: 'x', to: 'y' })
        const [head, first, ...rest] = linesOf({ title, to: 'y' })
        expect([head, ...rest.slice(-3)]).toEqual([plain[0], ...plain.slice(-3)])
        expect(first?.startsWith('  title: ')).toBe(true)
        for (const line of rest.slice(0, -3)) expect(line.startsWith('    | ')).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('says first where it goes, in full, and the contact’s name after it', () => {
    const attendees = ['sarah@known.example', 'eve@evil.example']
    expect(linesOf({ title: 'Lunch', attendees })).toEqual([
      'May I do this? Add this to your calendar.',
      '  invited:',
      '    - sarah@known.example ⟨Sarah Chen, a contact of yours⟩',
      '    - eve@evil.example',
      '  title: Lunch',
      'Goes to your own calendar, and to those invited. You wrote: title. Others wrote: invited.',
      'I ask because part of this was written by someone else.',
    ])
  })

  it.each([
    ['nothing', '', '""'],
    ['a number as text', '5', '"5"'],
    ['a word that is a value', 'true', '"true"'],
    ['blanks at the end', 'Lunch ', '"Lunch "'],
    ['the sign of nothing', '(none)', '"(none)"'],
    ['plain words', 'Lunch with Sarah', 'Lunch with Sarah'],
    ['a date', '2026-11-27T13:00:00Z', '2026-11-27T13:00:00Z'],
  ])('tells %s from what it looks like', (_, title, shown) => {
    expect(linesOf({ title })).toContain(`  title: ${shown}`)
  })

  it('says what a host name in it really is', () => {
    expect(linesOf({ title: 'see аpple.com' })).toContain(
      '  title: see аpple.com ⟨xn--pple-43d.com, mixes Latin and Cyrillic⟩',
    )
  })

  it('tells an empty list from an empty text', () => {
    expect(linesOf({ attendees: [] })).toContain('  invited: (none)')
  })

  it.each([
    ['this year', '2026-11-27T18:00:00.000Z', 'Friday 27 November, 13:00'],
    ['with an offset', '2026-11-27T13:00-05:00', 'Friday 27 November, 13:00'],
    ['another year', '2027-01-01T03:00:00Z', 'Thursday 31 December, 22:00'],
    ['a year ahead', '2027-11-27T18:00:00Z', 'Saturday 27 November 2027, 13:00'],
  ])('says a time as its owner does, and the bytes in the last line: %s', (_, from, shown) => {
    const lines = linesOf({ from })
    expect(lines).toContain(`  starts: ${shown}`)
    expect(lines.at(-1)).toBe(`(The exact values: starts: ${from})`)
    expect(lines.at(-2)).toMatch(/^I ask/)
  })

  it('says all that is exact in one line at its end, whole, and has no such line without it', () => {
    const [from, to] = ['2026-11-27T18:00:00Z', '2026-11-27T19:00:00Z']
    expect(linesOf({ title: 'Lunch', from, to }).at(-1)).toBe(
      `(The exact values: starts: ${from}, ends: ${to})`,
    )
    expect(cardOf({ title: 'Lunch' })).not.toContain('exact values')
    expect(foldCard(cardOf({ title: 'Lunch', from, to }), 'a1')).toContain(`ends: ${to})`)
  })

  it('takes what is found out before its question, whatever stands below that', () => {
    for (const from of ['2026-11-27T18:00:00Z', 'soon']) {
      const lines = beforeQuestion(cardOf({ from }), ['Found.', '']).split('\n')
      expect(lines[lines.indexOf('Found.') + 1]).toMatch(/^I ask/)
      expect(lines.filter((line) => line !== 'Found.')).toEqual(linesOf({ from }))
    }
  })

  it.each([
    ['a day', { from: '2026-11-28', to: '2026-11-29' }, 'Saturday 28 November'],
    ['the last of a year', { from: '2026-12-31', to: '2027-01-01' }, 'Thursday 31 December'],
    ['another year', { from: '2027-11-27', to: '2027-11-28' }, 'Saturday 27 November 2027'],
  ])('says that it is of whole days, and which is the last: %s', (_, { from, to }, day) => {
    expect(linesOf({ from })).toContain(`  starts: ${day}, all day`)
    expect(linesOf({ to })).toContain(`  ends: up to and including ${day}`)
    expect(linesOf({ from, to }).at(-1)).toBe(`(The exact values: starts: ${from}, ends: ${to})`)
  })

  it.each(['2026-13-27', '2026-11-27T13:00', '2026-13-45T13:00:00Z', 'Friday 27 November, 13:00'])(
    'adds nothing to what is no instant: %s',
    (from) => {
      expect(linesOf({ from })).toContain(`  starts: ${from}`)
    },
  )

  it('says that nobody is invited, only where nobody is', () => {
    expect(cardOf({ title: 'Gym' })).toMatch(/\nNobody is invited\. Goes /)
    expect(cardOf({ attendees: [] })).toMatch(/\nNobody is invited\. Goes /)
    expect(cardOf({ attendees: ['sarah@known.example'] })).not.toContain('Nobody is invited')
  })

  it('warns of what has passed', () => {
    expect(cardOf({ from: '2026-11-23T22:43:00Z' })).toContain('\nIt begins in the past.\n')
    expect(cardOf({ from: '2026-11-23T22:45:00Z' })).not.toContain('in the past')
  })
})

describe('what cannot be seen', () => {
  it.each([
    ['\u202egpj.exe', '⟨U+202E RLO⟩gpj.exe'],
    ['pay\u200bpal', 'pay⟨U+200B ZWSP⟩pal'],
    ['a\u001b[2Jb', 'a⟨U+001B ESC⟩[2Jb'],
    ['a\rb', 'a⟨U+000D CR⟩b'],
    ['a\u00a0b', 'a⟨U+00A0 NBSP⟩b'],
    ['\u{e0041}', '⟨U+E0041⟩'],
    ['\ud800', '⟨U+D800⟩'],
    ['\ue000', '⟨U+E000⟩'],
    ['\u2800', '⟨U+2800⟩'],
    ['⟨U+202E RLO⟩', '⟨U+27E8⟩U+202E RLO⟨U+27E9⟩'],
    ['❤\ufe0f, naïve, 東京', '❤\ufe0f, naïve, 東京'],
    ['x\ufe0f', 'x⟨U+FE0F⟩'],
  ])('%j is shown as %s', (hidden, shown) => {
    expect(showUnseen(hidden)).toBe(shown)
  })
})

describe('a host name', () => {
  it.each([
    ['apple.com', 'apple.com'],
    ['https://аpple.com/login', 'https://аpple.com ⟨xn--pple-43d.com, mixes Latin and Cyrillic⟩/login'],
    ['аррӏе.com', 'аррӏе.com ⟨xn--80ak6aa92e.com⟩'],
    ['bücher.example', 'bücher.example ⟨xn--bcher-kva.example⟩'],
    ['東京タワー.example', '東京タワー.example ⟨xn--mck1d4d7gk41yyh5b.example⟩'],
    ['xn--pple-43d.com', 'xn--pple-43d.com ⟨encoded: it may look like another name⟩'],
    ['pаy@bank.example', 'pаy@bank.example ⟨mixes Latin and Cyrillic⟩'],
    ['ο-ne.example', 'ο-ne.example ⟨xn---ne-3bc.example, mixes Latin and Greek⟩'],
  ])('%s is shown as %s', (host, shown) => {
    const [first] = showHosts(host).split('\n')
    expect(first?.replace(/⟨xn--[a-z0-9-]+\.example/, '⟨xn--…')).toBe(
      shown.replace(/⟨xn--[a-z0-9-]+\.example/, '⟨xn--…'),
    )
  })
})

describe('a fold', () => {
  const body = (lines: number): string => Array.from({ length: lines }, (_, n) => `line ${n}`).join('\n')

  it.each([
    ['short', SHOWN_LINES, 0],
    ['one line too many', SHOWN_LINES + 1, 1],
    ['a book', 500, 500 - SHOWN_LINES],
  ])('counts the lines of a text that is %s', (_, lines, hidden) => {
    const whole = cardOf({ title: body(lines), to: 'y' })
    const folded = foldCard(whole, 'a1')
    const gone = body(lines).split('\n').slice(SHOWN_LINES).join('\n').length
    const counted = hidden === 1 ? '1 more line' : `${hidden} more lines`
    if (hidden === 0) expect(folded).toBe(whole)
    else expect(folded).toContain(`    … ${counted}, ${gone - (hidden - 1)} characters ⟨`)
    expect(folded.split('\n').slice(-3)).toEqual(whole.split('\n').slice(-3))
  })

  it('counts what a long line does not show, and cuts no escape in two', () => {
    const long = `${'x'.repeat(SHOWN_LINE - 12)}\u202e${'y'.repeat(100)}`
    const folded = foldCard(cardOf({ title: long }), 'a1')
    expect(folded).toMatch(/… 1\d\d more characters ⟨[0-9a-f]{24}⟩ pfar approvals show a1/)
    expect(folded.replace(/⟨[^⟨⟩]*⟩/g, '')).not.toMatch(/[⟨⟩]/)
  })

  it('still looks different for texts that differ only below it', () => {
    const other = body(40).replace('line 39', 'line 40')
    expect(foldCard(cardOf({ title: body(40) }), 'a1')).not.toBe(foldCard(cardOf({ title: other }), 'a1'))
    const [one, two] = ['a', 'b'].map((end) => foldCard(cardOf({ title: 'x'.repeat(900) + end }), 'a1'))
    expect(one).not.toBe(two)
  })

  it('never cuts the address of the web that a call goes to', () => {
    const url = `https://lists.power.example/leave?${'m'.repeat(1_900)}`
    expect(foldCard(`Leave?\n  address: ${url}\nI ask.`, 'a1')).toContain(`  address: ${url}\n`)
    expect(foldCard(`Keep?\n  text: see ${url}\nI ask.`, 'a1')).not.toContain(url)
  })

  it('never hides an address', () => {
    const attendees = Array.from({ length: 20 }, (_, n) => `person${n}@known.example`)
    const folded = foldCard(cardOf({ title: 'x', attendees }), 'a1')
    for (const address of attendees) expect(folded).toContain(`- ${address}`)
  })
})
