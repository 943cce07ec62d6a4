/** The embedded planner: what it was trained to, what it never does, and phrasings that nothing is fitted to. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { NOW, phrasingsOf, readingOf, score } from '../../bench/phrases/score.ts'
import { CLASSES, isShaped } from '../../integrations/extractors/learned/classes.ts'
import { tableNow } from '../../integrations/extractors/learned/table.ts'
import { answerFor } from '../../integrations/models/rules/answers/answer.ts'
import { TOOL_PHRASES } from '../../integrations/tools/registered.ts'
import { TURNS } from '../../scripts/test/turns.ts'
import { isAsTrained } from '../../scripts/train/inputs.ts'
import { inTurn } from '../kit/soak.ts'
import { promptParts, toolCard } from './fixtures.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const sizeOf = (name: string): number =>
  readFileSync(new URL(`../../integrations/extractors/learned/${name}.json`, import.meta.url)).length
const STRANGERS = phrasingsOf(readFileSync(new URL('./strangers.txt', import.meta.url), 'utf8'))
const HELD_OUT = phrasingsOf(readFileSync(new URL('./heldout.txt', import.meta.url), 'utf8'))

const toolsOf = (text: string): readonly string[] => readingOf(text).calls.map(({ tool }) => tool)
const argsOf = (text: string): Readonly<Record<string, unknown>> => readingOf(text).calls[0]?.args ?? {}

describe('the table', () => {
  it('is what training gives, byte for byte', { timeout: 180_000 }, () => {
    // What has not changed since a training is trained anew at every eighth commit.
    if (isAsTrained() && inTurn(['anew'], TURNS).length === 0) return
    const trained = spawnSync(process.execPath, ['scripts/train.ts', '--check'], {
      encoding: 'utf8',
      cwd: ROOT,
    })
    expect([trained.status, trained.stderr]).toEqual([0, ''])
  })

  it('fits the edge, and with what home alone reads it fits home', () => {
    expect(sizeOf('table')).toBeLessThanOrEqual(250_000)
    expect(sizeOf('table') + sizeOf('home-weights') + sizeOf('tags')).toBeLessThanOrEqual(780_000)
  })

  it('has every phrase of every package, from its declaration alone', () => {
    const trained = new Set(tableNow().classes.map(({ id }) => id))
    const declared = CLASSES.map(({ phrase }) => phrase)
    for (const { asks, shapes } of TOOL_PHRASES)
      for (const phrase of asks)
        expect(declared.includes(phrase)).toBe(
          !isShaped(phrase, shapes) && phrase.shown === undefined && phrase.yields !== true,
        )
    expect(CLASSES.filter(({ id }) => !trained.has(id))).toEqual([])
  })
})

describe('phrasings that nothing is trained on', () => {
  const scored = HELD_OUT.map(score)
  const share = (verdict: string): number =>
    scored.filter((row) => row.verdict === verdict).length / scored.length

  it('are 300 at least, most of them read rightly and hardly one wrongly', () => {
    expect(scored.length).toBeGreaterThanOrEqual(300)
    expect(share('right')).toBeGreaterThanOrEqual(0.75)
    expect(share('wrong')).toBeLessThanOrEqual(0.01)
  })

  it('give the same plan each time', () => {
    for (const { text } of HELD_OUT.slice(0, 60)) expect(readingOf(text)).toEqual(readingOf(text))
  })
})

describe('what strangers typed', () => {
  const scored = STRANGERS.map(score)
  const share = (verdict: string): number =>
    scored.filter((row) => row.verdict === verdict).length / scored.length

  it('is read rightly in most, and hardly ever wrongly', () => {
    expect(scored.length).toBeGreaterThanOrEqual(300)
    expect(share('right')).toBeGreaterThanOrEqual(0.65)
    expect(share('wrong')).toBeLessThanOrEqual(0.02)
  })
})

const WRITES = ['calendar.create_event', 'email.send', 'email.reply', 'memory.save']

describe('what is periodic', () => {
  const WHAT = ['gym', 'yoga with Anna', 'team sync', 'piano lesson']
  const OFTEN = [
    ['every tuesday', { repeat: 'weekly', from: '2026-11-24' }],
    ['every day', { repeat: 'daily', from: '2026-11-2' }],
    ['each weekday', { repeat: 'weekdays', from: '2026-11-23' }],
    ['daily', { repeat: 'daily', from: '2026-11-2' }],
    ['every other friday', { repeat: 'weekly', every: 2, from: '2026-11-27' }],
    ['weekly on monday', { repeat: 'weekly', from: '2026-11-23' }],
  ] as const
  const EVENTS = [
    (what: string, often: string) => `add ${what} ${often} at 7am`,
    (what: string, often: string) => `book ${what} ${often} at 18:00`,
    (what: string, often: string) => `${often} ${what} at 9`,
    (what: string, often: string) => `put ${what} in my calendar ${often} at 10:00`,
  ]
  const OTHERS = [
    (often: string) => `check my mail ${often}`,
    (often: string) => `what's on my calendar ${often}`,
  ]
  it.each(OTHERS.flatMap((form) => OFTEN.map(([often]) => form(often))))('is never done once: %s', (text) =>
    expect(toolsOf(text)).toEqual([]),
  )

  it.each(
    EVENTS.flatMap((form) =>
      WHAT.flatMap((what) => OFTEN.map(([often, rule]) => [form(what, often), what, rule] as const)),
    ),
  )('is an event that comes again, and never one alone: %s', (text, what, { from, ...rule }) => {
    const { calls } = readingOf(text)
    expect(calls.map(({ tool }) => tool)).toEqual(['calendar.create_event'])
    const { title, from: begin, to: _, ...again } = calls[0]?.args ?? {}
    expect(String(title).toLowerCase()).toBe(what.toLowerCase())
    expect(String(begin)).toContain(from)
    expect(again).toEqual(rule)
  })
})

const SINGLE: readonly (readonly [string, string])[] = [
  ['check my mail', 'email.list'],
  ["what's on tomorrow", 'calendar.list_events'],
  ['weather in oslo', 'weather.forecast'],
  ['am i free on friday', 'calendar.freebusy'],
  ['how many unread mails do i have', 'email.count'],
]

describe('two requests', () => {
  const pairs = SINGLE.flatMap((a) => SINGLE.filter((b) => b !== a).map((b) => [a, b] as const))
  const joins = [' and ', ', then ', '. ', '; ', ' and also ']
  it.each(
    pairs.flatMap(([a, b], at) => {
      const join = joins[at % joins.length] ?? ' and '
      return [[`${a[0]}${join}${b[0]}`, [a[1], b[1]]] as const]
    }),
  )('are both done, in order: %s', (text, tools) => expect(toolsOf(text)).toEqual(tools))

  it.each(SINGLE.map(([text]) => [`remember that my locker is 12 and ${text}`]))(
    'are not swallowed by a memory: %s',
    (text) => {
      const saved = readingOf(text).calls.find(({ tool }) => tool === 'memory.save')
      expect(String(saved?.args['text'] ?? '')).not.toMatch(/mail|tomorrow|weather|free/)
    },
  )

  it.each([
    ['read the one from Sarah and book lunch with her'],
    ['book lunch with Tom on Friday at 13:00 unless I am busy'],
    ['if it rains tomorrow book a taxi'],
    ['add dentist on Tuesday at 9 but not before lunch'],
  ])('of which one is not understood change nothing: %s', (text) =>
    expect(toolsOf(text).filter((tool) => WRITES.includes(tool))).toEqual([]),
  )
})

describe('a length', () => {
  const FORMS = ['wait', 'block', 'book a call for', 'schedule a meeting for']
  const LENGTHS = ['ten minutes', '20 minutes', 'half an hour', '90 minutes', 'two hours']
  it.each(FORMS.flatMap((form) => LENGTHS.map((length) => `${form} ${length}`)))(
    'is no point in time: %s',
    (text) => expect(toolsOf(text)).toEqual([]),
  )
})

describe('a timer', () => {
  const LENGTHS = [
    ['ten minutes', 10],
    ['20 min', 20],
    ['half an hour', 30],
    ['90 minutes', 90],
    ['2h', 120],
  ] as const
  it.each(LENGTHS)('is a reminder in %s', (length, minutes) => {
    const due = new Date(NOW + minutes * 60_000).getTime()
    for (const text of [`set a timer for ${length}`, `${length} timer`, `timer ${length} for the eggs`])
      expect(readingOf(text).calls.map(({ args }) => Date.parse(String(args['due'])))).toEqual([due])
  })

  it.each([
    ['alarm for 6', '06:00'],
    ['stell einen Wecker auf 6:30', '06:30'],
    ['weck mich morgen um halb 7, sonst verschlafe ich', '06:30'],
    ['wake me up at 5', '05:00'],
    ['wake me up at 7pm', '19:00'],
    ['wake me at 7 in the evening', '19:00'],
  ])('rings in the morning where nothing else is said: %s', (text, clock) =>
    expect(readingOf(text).calls.map(({ args }) => String(args['due']).slice(11, 16))).toEqual([clock]),
  )
})

describe('another day', () => {
  const DAYS = [
    ['today', '2026-11-22'],
    ['tomorrow', '2026-11-23'],
    ['on tuesday', '2026-11-24'],
    ['on friday', '2026-11-27'],
    ['on 3 december', '2026-12-03'],
  ] as const
  const FORMS = [
    "what's",
    'do i have anything',
    'what do i have',
    'my agenda',
    'any meetings',
    'anything planned',
  ]
  it.each(FORMS.flatMap((form) => DAYS.map(([day, date]) => [`${form} ${day}`, date] as const)))(
    'is answered with that day: %s',
    (text, date) => {
      const reading = readingOf(text)
      expect(reading.calls.map(({ tool }) => tool)).toEqual(['calendar.list_events'])
      expect(String(reading.calls[0]?.args['from'])).toContain(date)
    },
  )
})

describe('a title', () => {
  const TITLES = ['Dentist', 'Games night', 'Lunch with Sarah', 'Car service', 'Parents evening']
  const TIMES = ['on tuesday at 9:00', 'tomorrow at 14:30', 'friday 7pm', '5 december 19:00']
  const FORMS = [
    (what: string, when: string) => `add ${what.toLowerCase()} ${when}`,
    (what: string, when: string) => `put ${what.toLowerCase()} in my calendar ${when}`,
    (what: string, when: string) => `please add ${what.toLowerCase()} ${when} to my calendar`,
    (what: string, when: string) => `${what.toLowerCase()} ${when}`,
  ]
  const rows = FORMS.flatMap((form) =>
    TITLES.flatMap((what) => TIMES.map((when) => [form(what, when), what] as const)),
  )
  it.each(rows)('is the thing alone, or is asked for: %s', (text, title) => {
    const [made] = readingOf(text).calls
    if (made !== undefined) expect(String(made.args['title']).toLowerCase()).toBe(title.toLowerCase())
  })

  const CALENDARS = ['the family', 'my work', 'our holiday', 'the book club']
  it.each(
    CALENDARS.flatMap((name) =>
      TIMES.flatMap((when) => [`put gym in ${name} calendar ${when}`, `add gym ${when} to ${name} calendar`]),
    ),
  )('does not take in the calendar that is named: %s', (text) => {
    for (const { args } of readingOf(text).calls)
      expect(String(args['title'])).not.toMatch(/calendar|family|work|holiday|club/i)
  })

  it('is read in most of them', () => {
    const read = rows.filter(([text]) => argsOf(text)['title'] !== undefined)
    expect(read.length / rows.length).toBeGreaterThanOrEqual(0.75)
  })
})

describe('a review or briefing with a name of its own', () => {
  it.each([
    ['move the budget review to 16:45', 'calendar_move'],
    ['cancel the budget review', 'calendar_cancel'],
    ['move the press briefing to 3pm tomorrow', 'calendar_move'],
    ['make the morning briefing 7:30', 'job_time'],
    ['stop the weekly health digest', 'job_stop'],
    ['stop the stock prices job', 'job_stop'],
  ])('is an event, and any other a job: %s', (text, intent) => expect(readingOf(text).intent).toBe(intent))
})

describe('an "and" within one request', () => {
  it('is no cut: the people of a meeting', () => {
    expect(
      readingOf('when can sarah@example.com and I meet next week?').calls.map(({ tool }) => tool),
    ).toEqual(['calendar.find_times'])
  })

  it.each([
    'find a time for an hour with sarah@example.com next week',
    'find me a slot of 30 minutes with sarah@example.com',
  ])('and its length stands before them: %s', (text) =>
    expect(readingOf(text).calls.map(({ tool }) => tool)).toEqual(['calendar.find_times']),
  )

  it('is none between a request that is read and one that is not', () => {
    expect(readingOf('tick off the leeks and blanch rice')).toMatchObject({
      calls: [],
      explanation: 'not_understood',
    })
  })
})

describe('what cannot be done', () => {
  const declined = (request: string, tools = ['email.list', 'calendar.list_events']): string =>
    answerFor(promptParts({ request, instruction: 'not_understood', tools: tools.map(toolCard) }))

  it.each([
    ['book me a flight to Rome', 'I cannot order or book anything for you: “book me a flight to Rome”'],
    ['play some music', 'I cannot play music'],
    ['check my mail every morning', 'I did not understand what I should do again and again'],
  ])('is named: %s', (text, begins) => expect(declined(text).startsWith(begins)).toBe(true))

  it.each(['yes', 'No.', 'nein danke'])('an answer where nothing was asked is told as that: %s', (text) =>
    expect(declined(text)).toBe('Nothing waited for a yes or no when you said that.'),
  )

  it('so is one that was typed before the card came', () =>
    expect(answerFor(promptParts({ request: 'yes', instruction: 'needs_named', tools: [] }))).toBe(
      'Nothing waited for a yes or no when you said that.',
    ))

  it('is answered with the nearest ability that is offered, and no list', () => {
    expect(declined('blorp the mail')).toContain('check your mail')
    expect(declined('blorp the mail').split('\n')).toHaveLength(3)
    expect(declined('blorp the mail', ['calendar.list_events'])).not.toContain('mail:')
  })
})
