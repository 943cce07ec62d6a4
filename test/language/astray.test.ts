/** No plan that a word of the message, or the trained table, speaks against; and what is read in its place. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const tools = (text: string): readonly string[] => readingOf(text).calls.map(({ tool }) => tool)

describe('no part of it is done', () => {
  it.each([
    ['of two times', 'cancel my 10am and 2pm on friday'],
    ['with a sentence in its title', 'book a call with Nils tomorrow at 15, it is his time'],
    ['of a comparison', 'wie unterscheidet sich plan_a.md von plan_b.md'],
    ['of the free time of two', 'when are me and Lotte both free next week'],
    ['of a contact', 'add the new dentist to my contacts, 0131 555 0100'],
  ])('%s', (_, text) => expect(tools(text)).toEqual([]))

  it('but what names no event is taken from no calendar', () => {
    expect(tools('take the nails off, bought some')).not.toContain('calendar.delete_event')
  })

  it.each([
    ['am I free on friday', ['calendar.freebusy']],
    ['book a call with Nils tomorrow at 15:00', ['calendar.create_event']],
  ])('but one is: %s', (text, wanted) => expect(tools(text)).toEqual(wanted))
})

describe('whether somebody wrote about something', () => {
  it.each([
    ['has Wanda emailed the seating plan yet', { from: 'Wanda', words: 'seating plan' }],
    ['hat die Werkstatt wegen der Bremsen schon geschrieben', { from: 'Werkstatt', words: 'Bremsen' }],
  ])('is a search by the two: %s', (text, args) => {
    const { calls } = readingOf(text)
    expect(calls.map(({ tool }) => tool)).toEqual(['email.search'])
    expect(calls[0]?.args).toMatchObject(args)
  })

  it.each(['has he emailed the plan', 'if Wanda emailed the plan, book a room'])('is none: %s', (text) =>
    expect(tools(text)).not.toContain('email.search'),
  )
})

describe('what is of everyone', () => {
  it.each(['when is Easter in 2031', 'wann sind die Herbstferien in Bremen'])('is looked up: %s', (text) =>
    expect(tools(text)).toEqual(['web.search']),
  )
  it.each([
    'when does her train leave',
    'which one of the boys is allergic to nuts',
    'how many grams in 4lb',
  ])('is not, where it is somebody’s: %s', (text) => expect(tools(text)).not.toContain('web.search'))
})

describe('a look that all of a message is of', () => {
  it('is whole', () => expect(readingOf('what time am I on tomorrow, early or late?').inPart).toBe(false))
  it('is of what is named', () => {
    const { calls } = readingOf('wie lang hab ich heute geschlafen')
    expect(calls[0]?.args).toMatchObject({ of: 'geschlafen' })
  })
})
