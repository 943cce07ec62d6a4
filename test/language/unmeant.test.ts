/** Nothing is planned of what is refused, taken back, over, or of more than one thing. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import { isLinear } from '../kit/processor-time.ts'

const WRITES = new Set([
  ...TOOL_MANIFESTS.flatMap(({ actions }) =>
    actions.filter(({ semantics }) => semantics === 'write').map(({ id }) => id),
  ),
  ...['memory.save', 'reminder.set', 'task.add'],
])

describe('nothing is changed by', () => {
  it.each([
    ...['buch keinen Termin am Freitag um 15 Uhr', 'trag morgen um 9 keinen Zahnarzt ein'],
    ...['book nothing on friday at 3', 'merk dir nicht meine PIN', 'remember nothing of this'],
    ...['setz keine milch auf die liste', 'add no milk to my list', 'erinner mich morgen um 9 nicht'],
    ...['verschieb den Friseur nicht auf 16 Uhr', 'cancel no meetings tomorrow', 'sag keine termine ab'],
    ...['schedule lunch for friday at 1 with tom not sarah', 'archive everything not from sarah'],
    ...[
      'delete the mail from tom not sarah',
      'reply to the second and the third: thanks',
      'delete all my mail',
    ],
    ...['add gym on monday and wednesday at 7', 'trag Yoga am Montag und Mittwoch um 18 Uhr ein'],
    ...['add holiday on monday and wednesday', 'add yoga on mon, wed and fri at 7'],
    ...['book a call with Anna tomorrow at 3, no wait, at 4', 'doch lieber um 17 Uhr', 'better at 5pm'],
    ...['trag Zahnarzt am Freitag um 15 Uhr ein, quatsch, 16 Uhr'],
    ...['tom reminded me at 9', 'Konzert war am Freitag um 20 Uhr', 'vielleicht friseur am freitag um 3'],
    ...['mondays and thursdays at 5pm send me my shifts', 'erinner mich später dran, so gegen 8'],
    ...['kids have swimming on wednesday at 4', 'move everything on thursday to friday'],
    ...['find the invoice from may and delete it', 'find the mail from yesterday and reply yes'],
    ...['write sara@example.com asking if she is free on friday', 'reply to Tom asking if he is free'],
    ...['remind me every evening at nine about my drops, until the boss is back'],
    ...['accept the invite from Tom, decline the other one', 'wake me up 6:40 tmr, no 6:50'],
    ...[
      'remember for me what the harbour thing in https://example.com/x ended up costing',
      'merk dir was der Hafen kostet',
    ],
    ...['is yoga cancelled tomorrow', 'has the dentist been cancelled?', 'ist yoga morgen abgesagt'],
    ...['is the dentist booked for friday at 9', 'wurde der Zahnarzt auf Freitag verschoben?'],
    ...[
      'remind tom to call me at 5',
      'remind me and tom about the call at 5',
      'erinner Tom um 5 an den Anruf',
    ],
  ])('%s', (text) => {
    const written = readingOf(text).calls.filter(({ tool }) => WRITES.has(tool))
    expect(written).toEqual([])
  })
})

it('two requests without a comma are both read', () => {
  const { calls } = readingOf('milk bread and foil on the shopping list and any new mail?')
  expect(calls.map(({ tool }) => tool)).toEqual(['task.add', 'task.add', 'email.list'])
})

describe('no half is read in silence of', () => {
  it.each([
    ...['unread mail not from sarah', 'open the second one and the third', 'read the second and third one'],
    ...['read the last mail and reply thanks', 'zeig mir die Mails von Sarah und archiviere sie'],
    ...['am I free monday and wednesday at 3', 'such a lovely mail from tom, must reply'],
    'eggs and flour on the list and any new mail?',
    ...['anything new from Ada or the railway people?', 'anything new from my boss or ada'],
  ])('%s', (text) => {
    const { calls, inPart } = readingOf(text)
    expect(inPart ? [] : calls).toEqual([])
  })
})

describe('still done, though a word of it looks like one of those', () => {
  it.each([
    ['book lunch with Sarah on Friday at 13:00', 'calendar.create_event'],
    ['block off next week for holiday', 'calendar.create_event'],
    ['add holiday friday and saturday', 'calendar.create_event'],
    ['remember never to trust the printer', 'memory.save'],
    ['remember that I do not eat nuts', 'memory.save'],
    ['merk dir, dass ich keinen Koriander mag', 'memory.save'],
    ['reply to Sarah: no, not on Friday', 'email.reply'],
    ['archive all newsletters', 'email.archive'],
    ['remind me every day at 9 to meditate for 10 minutes', 'reminder.set'],
    ['was habe ich am Freitag frei?', 'calendar.freebusy'],
  ])('%s', (text, tool) => {
    expect(readingOf(text).calls.map((call) => call.tool)).toContain(tool)
  })
})

it('reads what repeats itself in no more than its length allows', () => {
  expect(isLinear((times) => readingOf(`${'mail. '.repeat(times)}xyzzy blorp`), 15)).toBe(true)
})

describe('what is forbidden is not read either', () => {
  it.each(["don't check my mail", 'please do not open my calendar', 'no need to look at my list'])(
    '%s',
    (text) => expect(readingOf(text).calls).toEqual([]),
  )
  it.each([
    ["don't let me forget to call mum tomorrow at 9", 'reminder.set'],
    ["don't forget to call mum tomorrow at 9", 'reminder.set'],
  ])('which this is not: %s', (text, tool) =>
    expect(readingOf(text).calls.map((one) => one.tool)).toEqual([tool]),
  )
})

it.each(['forget the scones reminder', 'vergiss die Erinnerung an die Brötchen'])(
  'forgets no fact where a reminder is meant: %s',
  (text) => expect(operationInMessage(text)?.operation.name).not.toBe('memory.forget'),
)
