/**
 * German messages as people type them, labelled by hand (J-09): what is read of each without a model, its fields, and what is
 * planned. Apart from the English ones, so that a bound of all hides nothing of it.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { correctedIn } from '../../integrations/extractors/message/message-corrected.ts'
import { INTENTS, TOOLLESS_INTENTS } from '../../kernel/powers/message-fields.ts'
import { extracted, NOW, TIMEZONE } from './fixtures.ts'

type Row = readonly [text: string, intent: string, fields: Readonly<Record<string, unknown>>]
const FILE = new URL('./utterances-german.json', import.meta.url)
const ROWS = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Row[]

const MOMENT = { now: NOW, zone: createZone(TIMEZONE) }

/** Shares of the rows. */
const LEAST = { rows: 100, understood: 0.95, fields: 0.95, intents: 0.75 } as const

/** What answers an intent, where it is planned from the words; of a mail that nobody was shown, the question which one. */
const DOES: Readonly<Record<string, readonly string[]>> = {
  email_check: ['email.list', 'email.search', 'email.digest'],
  email_read: ['email.read', 'email.latest', 'which_mail'],
  calendar_list: ['calendar.list_events', 'calendar.read_event'],
  calendar_free: ['calendar.freebusy', 'calendar.find_times'],
  calendar_book: ['calendar.create_event'],
  calendar_cancel: ['calendar.delete_event'],
  calendar_move: ['calendar.update_event'],
  calendar_accept: ['calendar.answer_invitation'],
  calendar_decline: ['calendar.answer_invitation'],
  calendar_maybe: ['calendar.answer_invitation'],
  web_read: ['web.read'],
  memory_save: ['memory.save'],
  memory_search: ['memory.search'],
  reminder_set: ['reminder.set', 'timer.set'],
  task_add: ['task.add'],
  task_done: ['task.done'],
  other: ['email.send', 'email.reply', 'email.forward', 'weather.forecast', 'web.search'],
}

type Verdict = 'understood' | 'declined' | 'wrong'

function verdictOf([text, intent]: Row): Verdict {
  const read = extracted(text)['intent']
  if (read === intent && intent !== 'other') return 'understood'
  const { calls, asked, explanation, operation } = readingOf(text)
  const done = [...calls, ...asked].at(-1)?.tool ?? operation ?? explanation
  if (DOES[intent]?.includes(done) === true) return 'understood'
  const isNothing = calls.length === 0 && asked.length === 0 && operation === null
  // Of what is no request that is known, to do nothing is right.
  if (isNothing && read === 'other') return intent === 'other' ? 'understood' : 'declined'
  return isNothing && !TOOLLESS_INTENTS.includes(String(read)) ? 'declined' : 'wrong'
}

const share = (rows: readonly Row[]): number => rows.length / ROWS.length

it('there are a hundred and more, each once, of most intents', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(LEAST.rows)
  expect(new Set(ROWS.map(([text]) => text)).size).toBe(ROWS.length)
  const intents = new Set(ROWS.map(([, intent]) => intent))
  expect([...intents].filter((one) => !INTENTS.includes(one as never))).toEqual([])
  expect(intents.size).toBeGreaterThanOrEqual(25)
})

it('none is taken for something else', () =>
  expect(ROWS.filter((row) => verdictOf(row) === 'wrong').map(([text]) => text)).toEqual([]))

it('nearly all are understood without a model', () => {
  const left = ROWS.filter((row) => verdictOf(row) !== 'understood')
  expect(1 - share(left), left.map(([text]) => text).join('\n')).toBeGreaterThanOrEqual(LEAST.understood)
})

it('the extractor alone names the intent of most', () => {
  const read = ROWS.filter(([text, intent]) => extracted(text)['intent'] === intent)
  expect(share(read)).toBeGreaterThanOrEqual(LEAST.intents)
})

it('people, times, addresses, counts and topics are taken as they were typed, wherever the intent was read', () => {
  const read = ROWS.filter(([text, intent]) => extracted(text)['intent'] === intent)
  const wrong = read.filter(([text, , fields]) => {
    const got = extracted(text)
    return Object.entries(fields).some(([name, value]) => JSON.stringify(got[name]) !== JSON.stringify(value))
  })
  expect(1 - wrong.length / read.length, wrong.map(([text]) => text).join('\n')).toBeGreaterThanOrEqual(
    LEAST.fields,
  )
})

it.each<[text: string, tool: string, args: object, not: string]>([
  ['verlängere den call um 15 minuten', 'calendar.update_event', { to: 's3' }, 'from'],
  ['mach den call 15 minuten länger', 'calendar.update_event', { to: 's3' }, 'from'],
  ['hab ich was von tom bekommen', 'email.list', { from: 'tom' }, 'to'],
  ['neues von tom und sarah bekommen', 'email.list', { from: 'sarah' }, 'to'],
  ['merk dir, mama hat am 3. mai geburtstag', 'memory.save', { text: 'mama hat am 3. mai geburtstag' }, 'to'],
  ['meine kundennummer ist 4711, merk dir das', 'memory.save', { text: 'meine kundennummer ist 4711' }, 'to'],
])('what is done last of %s', (text, tool, args, not) => {
  const last = readingOf(text).calls.at(-1)
  expect(last).toMatchObject({ tool, args })
  expect(last?.args).not.toHaveProperty(not)
})

it('what lasts shorter does not begin later', () => {
  const last = readingOf('verkürze den call um 10 minuten').calls.at(-1)
  expect(last).toMatchObject({ tool: 'calendar.update_event', args: { to: 's3' } })
  expect(last?.args).not.toHaveProperty('from')
})

it.each([
  ['kannst du das meeting eine stunde später machen', 'shift'],
  ['das meeting soll erst um 11 sein', 'half'],
])('the thing that is moved is named by none of the words around it: %s', (text, move) =>
  expect(correctedIn(text, MOMENT)).toMatchObject({ topic: 'meeting', move }),
)
