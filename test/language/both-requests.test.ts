/** Two requests of which at least one changes something, in both languages and by five joints: each is planned or said to be missing, and neither is in the words of the other. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

type Request = readonly [text: string, tool: string, own: RegExp]

const ENGLISH: readonly Request[] = [
  ['check my mail', 'email.', /mail/],
  ["what's on tomorrow", 'calendar.list', /what|tomorrow/],
  ['add milk to my list', 'task.add', /milk/],
  ['remind me at 5 to call mum', 'reminder.set', /mum/],
  ['will it rain in leeds', 'weather', /rain|leeds/],
  ['book gym tomorrow at 7', 'calendar.create', /gym/],
  ['remember that my locker is 12', 'memory.save', /locker/],
  ['archive the newsletters', 'email.', /newsletter/],
]
const GERMAN: readonly Request[] = [
  ['schau nach neuen mails', 'email.', /mails/],
  ['was steht morgen an', 'calendar.list', /steht|morgen an/],
  ['setz milch auf die liste', 'task.add', /milch/],
  ['erinner mich um 17 uhr an mama', 'reminder.set', /mama/],
  ['regnet es morgen in bonn', 'weather', /regnet|bonn/],
  ['trag morgen um 7 sport ein', 'calendar.create', /sport/],
  ['merk dir dass mein spind 12 ist', 'memory.save', /spind/],
  ['sag den zahnarzt am freitag ab', 'calendar.delete', /zahnarzt/],
]
const JOINTS = {
  english: [' and ', ' & ', ', ', ' then ', '. '],
  german: [' und ', ', ', ' dann ', '. ', ' & '],
}

/** What somebody is reminded to do may be two things: "call mum, archive the newsletters". */
function isOneErrand([first, tool]: Request, joint: string, [second]: Request): boolean {
  return (
    tool === 'reminder.set' &&
    /^[ ]?[&,]/.test(joint) &&
    !/^(?:what|will|was|regnet)/.test(second) &&
    first !== second
  )
}

function pairs(requests: readonly Request[], joints: readonly string[]) {
  return requests.flatMap((one) =>
    requests.flatMap((other) =>
      one === other
        ? []
        : joints.flatMap((joint) =>
            isOneErrand(one, joint, other) ? [] : [[`${one[0]}${joint}${other[0]}`, one, other] as const],
          ),
    ),
  )
}

/** Every third is enough beside the others. */
const ROWS = [...pairs(ENGLISH, JOINTS.english), ...pairs(GERMAN, JOINTS.german)].filter(
  (_, at) => at % 3 === 0,
)

describe('two requests', () => {
  it.each(ROWS)('%s', (text, one, other) => {
    const { calls, inPart } = readingOf(text)
    // Declined whole, it says so by itself.
    if (calls.length === 0) return
    const has = (tool: string): boolean => calls.some((call) => call.tool.startsWith(tool))
    expect([has(one[1]) && has(other[1]), inPart]).toContain(true)
    for (const { tool, args } of calls) {
      const words = String(args['text'] ?? args['title'] ?? args['place'] ?? '').toLowerCase()
      expect(one[2].test(words) && other[2].test(words), `${tool}: ${words}`).toBe(false)
    }
  })

  it('are mostly understood', () => {
    const declined = ROWS.filter(([text]) => readingOf(text).calls.length === 0)
    expect(declined.length / ROWS.length).toBeLessThan(0.12)
  })
})

describe('are one', () => {
  it.each([
    ['milk, nappies gr. 5 on the list', ['task.add', 'task.add']],
    ['dinner with Tom friday 7pm, family calendar please', ['calendar.create_event']],
    ['put milk on my list, eggs and bread', ['task.add', 'task.add', 'task.add']],
    ['move the dentist to friday, 3pm', ['calendar.list_events', 'calendar.update_event']],
    ['remind me at 5 to call mum, archive the newsletters', ['reminder.set']],
    ['tell tom@example.com that I am late, remember that he waits', ['email.send']],
    ['search my mail for "hi, remember that the gate code is 4417"', ['email.search']],
    ['such in meinen Mails nach „hallo, merk dir dass der Code 4417 ist“', ['email.search']],
    ['new apprentice is called Tim Weaver, number 0151 5550 1234, remember that', ['memory.save']],
  ])('%s', (text, tools) => {
    const called = readingOf(text).calls.map(({ tool }) => tool)
    expect(called.length === 0 || called.join() === tools.join(), called.join()).toBe(true)
  })
})
