/** Requests in words that no sentence has, read by their parts at home: what stands where, what is said plainly, and what is never done by it. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { likelyAtHome } from '../../integrations/extractors/learned/likely-home.ts'
import type { TaggedPart } from '../../integrations/extractors/learned/parts.ts'
import { partsIn, requestsIn } from '../../integrations/extractors/learned/parts.ts'
import { sayPlainly } from '../../integrations/models/rules/home.ts'
import { formOf } from '../../integrations/models/rules/parts/forms.ts'
import { plainOf } from '../../integrations/models/rules/parts/plain.ts'
import { plainTime, wholeDayIn } from '../../integrations/models/rules/parts/times.ts'
import { TOOL_FORMS } from '../../integrations/tools/forms.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { messageOf } from '../../scripts/train/said.ts'

/** Sunday 22 November 2026, 11:30 in Berlin. */
const MOMENT = { now: Date.parse('2026-11-22T10:30:00Z'), zone: createZone('Europe/Berlin') }
const callsOf = (text: string) => readingOf(text).calls
const toolsOf = (text: string): readonly string[] => callsOf(text).map(({ tool }) => tool)
const part = (name: TaggedPart['part'], text: string): TaggedPart => ({ part: name, text, from: 0, to: 0 })

describe('the tagger', () => {
  it('finds what, when and where wherever they stand', () => {
    const found = partsIn(
      "mum's 70th is on the 14th of december at 6pm at the Red Lion, stick it in",
      'calendar.create_event',
      MOMENT,
    )
    expect(found.map(({ part: name, text }) => [name, text])).toEqual([
      ['what', "mum's 70th"],
      ['when', 'on the 14th of december at 6pm'],
      ['where', 'Red Lion'],
    ])
  })

  it('cuts where another request begins, and not at any and', () => {
    expect(
      requestsIn('squeeze in the vet at 4 today and remind me at half 3 to get the cat box', MOMENT),
    ).toEqual(['squeeze in the vet at 4 today', 'and remind me at half 3 to get the cat box'])
    expect(requestsIn('lunch with Tom and Sarah on friday at 1', MOMENT)).toHaveLength(1)
  })
})

describe('a request in words that no sentence has', () => {
  it.each([
    ["mum's 70th is on the 14th of december at 6pm at the Red Lion, stick it in", ['calendar.create_event']],
    [
      'ach ja, der Elternabend ist am Donnerstag um 19 Uhr in der Aula, trag das bitte ein',
      ['calendar.create_event'],
    ],
    [
      'the choir rehearsal is in the church hall now instead',
      ['calendar.list_events', 'calendar.update_event'],
    ],
    ['my locker code is 4471 keep that safe for me', ['memory.save']],
    ['diese angebliche Sparkassenmail ist doch Betrug, ab in den spam', ['email.list', 'email.spam']],
    ['move the latest Carmichael mail to the folder Clients', ['email.list', 'email.file']],
    ['meeting with bob is now at 4', ['calendar.list_events', 'calendar.update_event']],
    [
      "physio needs shifting to friday 3pm, the car's in the garage",
      ['calendar.list_events', 'calendar.update_event'],
    ],
    [
      'squeeze in the vet at 4 tomorrow and remind me at half 3 to get the cat box',
      ['calendar.create_event', 'reminder.set'],
    ],
  ])('%s', (text, tools) => expect(toolsOf(text)).toEqual(tools))

  it('keeps a new place apart from a new time', () => {
    expect(callsOf('the choir rehearsal is in the church hall now instead').at(-1)?.args).toMatchObject({
      location: 'church hall',
    })
    expect(callsOf('the choir rehearsal is in the church hall now instead').at(-1)?.args).not.toHaveProperty(
      'from',
    )
  })
})

describe('nothing is done by its parts', () => {
  it.each([
    ["don't put the dentist in on friday at 3", 'sarah asked me to put the dentist in on friday at 3'],
    ['if it rains put the dentist in on friday at 3', 'should i put the dentist in friday at 3'],
    ['take everything on friday out', 'the cat wakes me every morning at five'],
    ['archive no mails from moodle', 'write sara@example.com asking if she is free on friday'],
    ['my bank pin is 4821', 'For future reference delete the mail from tom'],
    ['tick off the leeks and blanch rice', 'milk eggs bin bags cat litter'],
  ])('%s / %s', (...texts) => {
    for (const text of texts) expect([text, toolsOf(text)]).toEqual([text, []])
  })

  it('does not drop a part that has no place', () => {
    const told = { text: '', language: 'en', moment: MOMENT } as const
    const said = (label: string, parts: readonly TaggedPart[]) => {
      const form = formOf(label)
      return form === null ? undefined : plainOf(form, parts, told)
    }
    expect(said('calendar.delete_event', [part('what', 'yoga'), part('text', 'sorry')])).toBeNull()
    expect(
      said('calendar.delete_event', [part('what', 'yoga'), part('when', 'on friday')])?.requests,
    ).toEqual(['cancel yoga on friday'])
    expect(said('email.list', [part('what', 'rent')])).toBeNull()
  })
})

describe('what is taken back while typing', () => {
  it.each([
    ['the VAT call with Daniel on Wednesday, please make it 16:00, no sorry, 16:30', '2026-11-25T16:30'],
    ['lunch with Tom on thursday, no wait friday at 1, pop it in', '2026-11-27T13:00'],
  ])('%s: the last word holds', (text, from) =>
    expect(String(callsOf(text).at(-1)?.args['from'])).toContain(from),
  )

  it('is said of a place as well', () => {
    const [made] = callsOf('coffee with ana at the Lido, no, at the market, saturday at 10, put it in')
    expect(made?.args).toMatchObject({ title: 'Coffee with ana', location: 'market' })
    const titleOf = (text: string): unknown => callsOf(text)[0]?.args['title']
    expect(titleOf('Kaffee mit Ana im Lido, nein, am Markt, Samstag um 10 eintragen')).not.toBe('Markt')
  })

  it.each(['remind me at 4 to say no, thanks to Tom', 'email tom@example.org: at 4, no sorry, 5'])(
    '%s: what is written or to be done keeps its words',
    (text) => expect(JSON.stringify(callsOf(text))).toMatch(/no, thanks|no sorry, 5/),
  )
})

describe('a mail that is put away', () => {
  it.each(['move all mails from Carmichael to Clients', 'put the mails from Tom into Work'])(
    '%s: nothing is deleted',
    (text) => expect(toolsOf(text)).not.toContain('email.delete'),
  )

  it('is marked as what was asked for', () => {
    const as = (text: string): unknown => callsOf(text).at(-1)?.args['as']
    expect(as('mark the HMRC message as unread again please, I need to deal with it')).toBe('unread')
    expect(as('mark the newsletter from Verband as read, seen it')).toBe('read')
    expect(as('could you put that unread one from Sarah down as read')).not.toBe('unread')
  })
})

describe('forms of the tools', () => {
  it.each(Object.entries(TOOL_FORMS))(
    '%s is of an action that a package declares',
    (label, { tool, says }) => {
      expect(TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id))).toContain(tool)
      expect(likelyAtHome('x', MOMENT).map((one) => one.label.replace('else:', ''))).toContain(label)
      expect(
        Object.values(says)
          .flat()
          .every((one) => one.length > 0),
      ).toBe(true)
    },
  )
})

describe('operations said plainly', () => {
  it.each([
    ['fence is fixed stop reminding me about the electric fence', 'stop reminding me about electric fence'],
    [
      'electric fence reminder – make it saturday at 10 not friday',
      'move my reminder about electric fence to saturday at 10',
    ],
    ['not now kids are in the bath ask me again at half 8', 'snooze until half 8'],
    ['not now im with a patient, again in half an hour', 'snooze for half an hour'],
    ['snooze that for two hours im in the middle of handover', 'snooze for two hours'],
    ['no pings after 8 at night till 6 please', 'no messages between 20 and 6'],
    ['forget the scones reminder theyre out', 'stop reminding me about scones'],
    ['was steht no auf meiner todo', 'zeig mir meine aufgaben'],
  ])('%s', (text, plain) =>
    expect(sayPlainly(text, { now: MOMENT.now, timezone: 'Europe/Berlin' })?.sentence).toBe(plain),
  )

  it.each([
    "don't stop reminding me about the electric fence",
    'snooze the tax one til monday if it rains',
    'stop reminding me about the fence and book the vet for friday at 3',
    'cancel all my reminders',
  ])('%s is left alone', (text) =>
    expect(sayPlainly(text, { now: MOMENT.now, timezone: 'Europe/Berlin' })).toBeNull(),
  )
})

describe('times where it is known that they are times', () => {
  it.each([
    ['friday 1945 til 0815', 'friday 19:45 til 08:15'],
    ['to friday now', 'friday'],
    ['at eight o clock', "at eight o'clock"],
    ['at 20h', 'at 20:00'],
    ['the 19th at 11 20', 'the 19th at 11:20'],
    ['in may 2027', 'in may 2027'],
  ])('%s is %s', (typed, plain) => expect(plainTime(typed)).toBe(plain))

  it('tells a whole day', () => {
    expect(wholeDayIn('the 28th, all day')).toEqual({ day: 'the 28th', isWhole: true })
    expect(wholeDayIn('am 31. Januar den ganzen Tag')).toEqual({ day: 'am 31. Januar', isWhole: true })
    expect(wholeDayIn('friday at 3')).toEqual({ day: 'friday at 3', isWhole: false })
  })
})

describe('a marked message', () => {
  it('is its text, with the places of its parts', () => {
    expect(messageOf('calendar.create_event | put [what:yoga] in [when:friday at 3]')).toMatchObject({
      label: 'calendar.create_event',
      text: 'put yoga in friday at 3',
      parts: [
        { part: 'what', from: 4, to: 8 },
        { part: 'when', from: 12, to: 23 },
      ],
      requests: [],
    })
  })

  it('of two requests is of two, each of its own', () => {
    expect(messageOf('task.add + chat | add [what:milk] // and thanks')).toMatchObject({
      ...{ label: 'two', text: 'add milk and thanks' },
      requests: [
        { label: 'task.add', text: 'add milk', from: 0 },
        { label: 'chat', text: 'and thanks', from: 9 },
      ],
    })
  })

  it.each(['task.add | add [thing:milk]', 'task.add + chat | add milk'])(
    'is refused with a mark that is none: %s',
    (line) => expect(() => messageOf(line)).toThrow(),
  )
})
