/** Changes asked for in words that no sentence has: which one is changed is said by the words that name something, and shown on a card; nothing else comes of it. */
import { describe, expect, it } from 'vitest'
import { NOW, readingOf, TIMEZONE } from '../../bench/phrases/score.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { changedLoosely } from '../../integrations/extractors/learned/loose-change.ts'

const slotsOf = (text: string) => {
  const part = changedLoosely(text, { now: NOW, zone: createZone(TIMEZONE) })
  return part === null ? null : [part.of.id.replace(/#\d+$/, ''), part.slots]
}
const toolsOf = (text: string) => readingOf(text).calls.map(({ tool }) => tool)
const WRITES =
  /\.(?:archive|delete|spam|mark|move|send|reply|forward|delete_event|update_event|create_event|answer_invitation)$/

describe('the thing that is meant', () => {
  it.each([
    ['archive everything from moodle. everything', 'email.archive', { these: 'moodle' }],
    [
      'die ganzen Mails vom Schulbuchverlag kannst alle löschen',
      'email.delete',
      { these: 'Schulbuchverlag' },
    ],
    ['ok archive that whole thread with the mushroom zine ppl', 'email.archive', { what: 'mushroom zine' }],
    ['say maybe to that lawsoc ball invite', 'calendar.answer_invitation', { what: 'lawsoc ball' }],
    [
      'reply to the lady w the baby shower - yes we can do 30 ppl, £14 a head',
      'email.reply',
      { who: 'baby shower', topic: 'yes we can do 30 ppl, £14 a head' },
    ],
    [
      'answer the guy from the garage, say monday is fine',
      'email.reply',
      { who: 'garage', topic: 'monday is fine' },
    ],
  ])('%s', (text, action, slots) => {
    expect(slotsOf(text)).toEqual([action, slots])
    expect(toolsOf(text).at(-1)).toBe(action)
  })

  it('is not its reason', () => {
    const read = slotsOf('cancel the gym induction on friday because my knee is bad')
    expect(read).toEqual(['calendar.delete_event', { what: 'gym induction' }])
  })
})

describe('nothing is changed by', () => {
  it.each([
    "don't archive the mails from moodle yet",
    'archive everything from moodle except the marks',
    'delete all mails from tom unless they are about money',
    'did you archive the moodle mails?',
    'every friday archive everything from moodle',
    'archive two of the moodle mails',
    'fyi archive everything from moodle',
    'archive everything',
    'delete all of it',
    'archive no mails from moodle',
    'archive the moodle mails and book the gym on friday at 9 with a lot of other people and things',
  ])('%s', (text) => expect(toolsOf(text).filter((tool) => WRITES.test(tool))).toEqual([]))

  it.each(['put the gym in for the 14th at 9 on tuesday pls', 'gym on thursday the 9th at 8 pop it in'])(
    'a day of the month that was not read: %s',
    (text) => expect(slotsOf(text)).toBeNull(),
  )
})
