/** The grammar of the sentences by which packages say how people ask: what fits, what does not, and what is taken. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { mentions, sentenceOf, WHEN_MARK } from '../../integrations/extractors/message/message-sentence.ts'
import type { Phrases } from '../../integrations/tools/phrase.ts'

const lists = {
  boat: ['ferry', 'ferries', 'water taxi'],
  own: ['my', 'the', '{number}'],
  other: ['(on|in) my list'],
}
const strict = (says: string, text: string) => sentenceOf(says, { lists, loose: false }).match(text)
const loose = (says: string, text: string) => sentenceOf(says, { lists, loose: true }).match(text)

describe('a sentence', () => {
  it.each<[string, string, boolean]>([
    ['show [me] boats', 'show boats', true],
    ['show [me] boats', 'Show me boats?', true],
    ['show [me] boats', 'show us boats', false],
    ['show [me] boats', 'show me boats now', false],
    ['show [me] boats', 'showme boats', false],
    ['show boats ...', 'show boats: all', true],
    ['show boats ...', 'show boatswain', false],
    ['show boats ...', 'show boatsé', false],
    ["what's (on|in) ...", 'what’s on', true],
    ['[my] boats', 'boats', true],
    ['[my] boats', 'my boats', true],
    ['show <own>* <boat> ...', 'show ferries', true],
    ['show <own>* <boat> ...', 'show the 12 my ferries', true],
    ['show <own>* <boat> ...', 'show my my my my my my my ferry', false],
    ['show <own>* <boat> ...', 'show a ferry', false],
    ['is there {any 0-2} <boat> ...', 'is there a big ferry', true],
    ['is there {any 0-2} <boat> ...', 'is there a very big ferry', false],
    ['is my {plain 1-2} free', 'is my old boat free', true],
    ['is my {plain 1-2} free', 'is my 2nd free', false],
    ['what does !(it|my day) {any 1-2} say ...', 'what does Sarah say', true],
    ['what does !(it|my day) {any 1-2} say ...', 'what does my day say', false],
    ['when am I ... free ...', 'when am I next week free', true],
    ['when am I ... free ...', 'when am I carefree', false],
    ['read the {nth}', 'read the third', true],
    ['read the {nth}', 'read the #3', true],
    ['read {whose} book ...', "read Tom Baker's book", true],
    ['read {whose} book ...', 'read a book', false],
    ['read {address} {any 0-1}', 'read https://example.org/a now', true],
    ['read {address} {any 0-1}', 'read example.org', false],
    ['can we meet + {when}', 'can we meet on Friday', true],
    ['can we meet + {when}', 'can we meet', false],
    ['book {topic} + <boat> - <other>', 'book the water taxi', true],
    ['book {topic} + <boat> - <other>', 'book the ferry on my list', false],
    ['book {topic} + <boat> - <other>', 'book the transferry', false],
    ['book {topic} + {day}', 'book it tomorrow', true],
    ['book {topic} + {day}', 'book it soon', false],
  ])('%s, of %j: %s', (says, text, fits) => {
    expect(strict(says, text) !== null).toBe(fits)
  })

  it('takes the words of its slots as they were typed', () => {
    expect(strict('book [me] {topic}', 'book me a  “Big”\nboat ')).toEqual({ topic: 'a  “Big”\nboat ' })
    expect(loose('sail {what} to {place} [{when}]', `sail St. John’s, to New York ${WHEN_MARK}.`)).toEqual({
      what: 'St. John’s',
      place: 'New York',
    })
    expect(loose('sail to {place}', `sail to Faro ${WHEN_MARK}`)).toBeNull()
  })

  it.each([['<plane> now'], ['(a|b'], ['a) b'], ['[a']])(
    'that no package can mean is a fault: %s',
    (says) => {
      expect(() => strict(says, 'a')).toThrow(/list|bracket/)
    },
  )

  it('holds a word of a list, wherever it stands', () => {
    expect(mentions('a Water Taxi, please', 'boat', lists)).toBe(true)
    expect(mentions('transferry', 'boat', lists)).toBe(false)
  })
})

describe('a request of a package', () => {
  const extract = (packages: readonly Phrases[], text: string) =>
    createMessageExtractor(packages).extract(text, {
      now: Date.parse('2026-11-22T10:30:00Z'),
      timezone: 'UTC',
    }) as Record<string, unknown>
  const ask = (part: object): readonly Phrases[] => [
    {
      lists: { en: { of: ['of'] }, de: { of: ['von'] } },
      asks: [{ intent: 'email_check', plan: [], says: {}, ...part }],
    },
  ]

  it('is known in every language that it is said in, with the words of that language', () => {
    const says = { en: ['letters ...'], de: ['Briefe ...'] }
    const packages = ask({ says, takes: { who: 'of' } })
    expect(extract(packages, 'letters of Sarah')).toMatchObject({ intent: 'email_check', person: 'Sarah' })
    expect(extract(packages, 'Briefe von Sarah')).toMatchObject({ intent: 'email_check', person: 'Sarah' })
    expect(extract(packages, 'Briefe of Sarah')).not.toHaveProperty('person')
  })

  it('gives what it takes and nothing else', () => {
    const says = { en: ['letters ...'] }
    const text = 'letters of Sarah tomorrow, the last three new ones for an hour'
    expect(Object.keys(extract(ask({ says }), text)).sort()).toEqual([
      'attachments',
      'intent',
      'language',
      'quoted',
      'whole',
    ])
    const takes = { who: 'of', when: {}, unread: true, count: 'many', minutes: true }
    expect(extract(ask({ says, takes }), text)).toMatchObject({
      person: 'Sarah',
      unread: true,
      count: 3,
      minutes: 60,
    })
  })

  it('is found behind a time alone where the package says so', () => {
    const says = { en: ['letters ...'] }
    expect(extract(ask({ says }), 'On Friday, letters')['intent']).toBe('other')
    expect(extract(ask({ says, takes: { whenFirst: true } }), 'On Friday, letters')['intent']).toBe(
      'email_check',
    )
  })

  it('counts and owns the things that packages name, and no others', () => {
    const lists = { en: { of: ['of'], letter: ['letter'], letters: ['letters'] } }
    const says = { en: ['show ...'] }
    const asks = [{ intent: 'email_check', plan: [], says, takes: { who: 'of', count: 'many' } }] as const
    const packages = [{ lists, things: { one: 'letter', many: 'letters' }, asks }]
    expect(extract(packages, "show Sarah's letter")).toMatchObject({ person: 'Sarah' })
    expect(extract(packages, "show Sarah's boat")).not.toHaveProperty('person')
    expect(extract(packages, 'show 3 letters')).toMatchObject({ count: 3 })
    expect(extract(packages, 'show 3 boats')).not.toHaveProperty('count')
    expect(extract([{ lists, asks }], "show Sarah's letter")).not.toHaveProperty('person')
  })

  it('is none where no package declares it', () => {
    expect(extract([], 'check my email')['intent']).toBe('other')
    expect(extract([], 'read https://example.org')['intent']).toBe('other')
  })
})
