/** What is asked for by what it says, what is said beside a request, and a reminder before an appointment, without a model (DESIGN §10). */
import { expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

/** Tools with the arguments that matter, of a message on Sunday 22 November 2026, 11:30 in Berlin. */
function read(text: string): readonly (readonly [string, ...unknown[]])[] {
  return readingOf(text).calls.map(({ tool, args }) => [
    tool,
    ...['words', 'query', 'title', 'from', 'due', 'text', 'id'].flatMap((name) =>
      Object.hasOwn(args, name) ? [args[name]] : [],
    ),
  ])
}

it.each([
  [
    'there was an email from payroll sometime last month about my unsocial hours n i cant find it anywhere',
    ['email.search', 'payroll unsocial hours'],
  ],
  ['there was a mail somewhere about the boiler that came in may', ['email.search', 'boiler']],
  [
    'Ich suche die Rechnung des Dachdeckers, sie müsste irgendwo bei meinen Unterlagen liegen.',
    ['files.search', 'Rechnung Dachdeckers'],
  ],
  [
    'when is half term this year, it should be in a pdf from the school somewhere',
    ['files.search', 'half term school'],
  ],
])('searches where the owner says it is: %s', (text, call) => {
  expect(read(text)).toEqual([call])
})

it.each([
  'bin all the deliveroo emails, theres like 400',
  'if there is an email from Tom, tell me',
  'delete the email about the boiler that came somewhere last week or so',
  'send the email about the boiler somewhere to Tom',
  'Anything with an invoice in it should go in a folder called Accounts',
])('does not take for a search what would change something: %s', (text) => {
  expect(read(text).filter(([tool]) => /search$/.test(tool))).toEqual([])
})

it.each([
  ['will it rain in Leeds tomorrow, got to do an outside tap in the afternoon', 'weather.forecast'],
  ['how did i sleep, i feel awful', 'health.measure'],
  ['regnet es morgen in Köln, will mit dem rad zur uni', 'weather.forecast'],
])('reads a question beside which something is said: %s', (text, tool) => {
  const reading = readingOf(text)
  expect(reading.calls.map((call) => call.tool)).toEqual([tool])
  expect(reading.inPart).toBe(false)
})

it.each([
  'cancel gym tomorrow, could you also see whether Tom can come',
  'will it rain in Leeds tomorrow, or in York',
  'cancel everything on wednesday afternoon',
  'sag alles am mittwoch ab',
])('does no half of what is asked as if it were all: %s', (text) => {
  const { calls, inPart } = readingOf(text)
  expect(calls.length === 0 || inPart).toBe(true)
})

it.each([
  [
    'book dentist on december 14 at 15:40, and remind me the day before',
    'dentist',
    '2026-12-14T15:40',
    '2026-12-13T15:40',
  ],
  [
    'trag Zahnarzt Dienstag um 14 Uhr ein, erinner mich zwei Stunden vorher',
    'zahnarzt',
    '2026-11-24T14:00',
    '2026-11-24T12:00',
  ],
  [
    'Termin Friseur 23.5. 16 Uhr und erinner mich am Tag vorher',
    'friseur',
    '2027-05-23T16:00',
    '2027-05-22T16:00',
  ],
  [
    'put call with Anika on Tuesday 15:30, remind me 20 min before',
    'call with anika',
    '2026-11-24T15:30',
    '2026-11-24T15:10',
  ],
  [
    'add lunch with Sarah on 29 march 2027 at 9:00 and remind me 2 days before',
    'lunch with sarah',
    '2027-03-29T09:00',
    '2027-03-27T09:00',
  ],
])('makes an appointment and a reminder before it: %s', (text, title, from, due) => {
  const calls = readingOf(text).calls.map(({ tool, args }) => [
    tool,
    String(args['title'] ?? args['text']).toLowerCase(),
    String(args['from'] ?? args['due']).slice(0, 16),
  ])
  expect(calls).toEqual([
    ['calendar.create_event', title, from],
    ['reminder.set', title, due],
  ])
})

it('asks for nothing before an appointment that it does not know', () => {
  expect(read('that thing with Tom, remind me the day before').map(([tool]) => tool)).not.toContain(
    'reminder.set',
  )
})

it.each([
  'just got home from nights, dead on my feet',
  'boah kein bock heute ey',
  'well that was a long day my back is killing me',
])('hears that somebody talks: %s', (text) => expect(readingOf(text).intent).toBe('chat'))

it.each([
  'i need a plumber',
  'my mum is coming on friday',
  'i lost the card, who do i call',
  'Es war da noch etwas mit der Krankenkasse, worum ich mich kümmern wollte.',
  'that meeting with Tom at 3',
])('answers no request as if it were talk: %s', (text) => expect(readingOf(text).intent).not.toBe('chat'))

it.each([
  ['add "order DMEM and trypsin" to todo', [['task.add', 'order DMEM and trypsin']]],
  [
    'Milch, Butter und Äpfel auf den Zettel',
    [
      ['task.add', 'Milch'],
      ['task.add', 'Butter'],
      ['task.add', 'Äpfel'],
    ],
  ],
])('keeps one thing as one: %s', (text, calls) => expect(read(text)).toEqual(calls))

it('says that it is a part where one of several parts was read in part', () => {
  const { calls, inPart } = readingOf(
    'check my mail, any rain in Leeds tomorrow and something with the flurble',
  )
  expect(calls.length === 0 || inPart).toBe(true)
})

it('reads a whole sentence as whole, though a shorter one names it', () => {
  const { calls, inPart } = readingOf('did Sandra write about swapping the weekend')
  expect([calls.map(({ tool, args }) => [tool, args]), inPart]).toEqual([
    [['email.search', { from: 'Sandra', words: 'swapping the weekend' }]],
    false,
  ])
})

it('searches the web for all words of a question about the world, and for none about the owner', () => {
  expect(read('bis wann hat die Stabi heute auf')).toEqual([
    ['web.search', 'bis wann hat die Stabi heute auf'],
  ])
  expect(read('how old is sarah').map(([tool]) => tool)).not.toContain('web.search')
  expect(read('find out when my next appointment is').map(([tool]) => tool)).not.toContain('web.search')
})

it.each([
  "book a massage friday at 3, don't remind me an hour before",
  'book a massage friday at 3, remind me an hour and a half before',
  'book lunch with tom tomorrow at 1, remind me 30 min before because I have to pack, and email him the address',
])('makes no half of an appointment with a reminder: %s', (text) => expect(read(text)).toEqual([]))

it.each([
  'this is urgent, print it',
  "I'm allergic to penicillin",
  'just the unread ones',
  'das war falsch, mach es rückgängig',
])('is no talk where something is asked or told: %s', (text) =>
  expect(readingOf(text).intent).not.toBe('chat'),
)

it.each([
  "look up Sarah's number",
  'look up the wifi password',
  'find a dentist and book me in for friday at 3',
  'is the door open',
  'schau mal nach ob die Heizung an ist',
])('searches the web for nothing private, and swallows no second request: %s', (text) =>
  expect(read(text).filter(([tool]) => tool === 'web.search')).toEqual([]),
)

it.each([
  ['trag Zahnarzt Freitag um 3 ein, erinner mich am Abend vorher', '2026-11-26T20:00'],
  ['book dentist friday at 3pm, remind me the night before', '2026-11-26T20:00'],
  ['book dentist friday at 3pm, remind me the day before', '2026-11-26T15:00'],
  ['block december 7 to december 11 for holiday and remind me a day before', '2026-12-06T09:00'],
])('reminds in the evening if that was said, and of a whole day in the morning: %s', (text, due) => {
  const [event, reminder] = readingOf(text).calls
  expect([event?.tool, reminder?.tool]).toEqual(['calendar.create_event', 'reminder.set'])
  expect(String(reminder?.args['due']).slice(0, 16)).toBe(due)
})

it.each([
  'book dentist today at 3pm, remind me the day before',
  'book yoga tomorrow at 7, remind me fifteen min before so i can leave and buy milk',
  'remind me to pack, two days before friday',
  'remind me to water the plants the day before I leave',
])('plans nothing of a reminder before something that it cannot read: %s', (text) => {
  expect(read(text)).toEqual([])
})

it('looks up the event that a reminder is to come before', () => {
  expect(read('remind me to water the plants the day before the party')).toEqual([
    ['calendar.list_events', '2026-11-22T11:30:00+01:00'],
    ['reminder.set', 's4', 'water the plants'],
  ])
})

it.each([
  'reply to Sarah: yes, and remind me tomorrow',
  'mark it unread and remind me tonight',
  'markiere sie als ungelesen und erinnere mich heute abend',
])('does not keep a request as the words of a reminder: %s', (text) => {
  expect(read(text).filter(([tool]) => tool === 'reminder.set')).toEqual([])
})

it.each(['call mum and remind me tomorrow at 9', 'water the plants and remind me tomorrow at 9'])(
  'reminds of what only the owner can do: %s',
  (text) => expect(read(text).map(([tool]) => tool)).toEqual(['reminder.set']),
)
