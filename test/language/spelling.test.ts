/** A message as it would be spelt: apostrophes left out, and slips in words of time and in "calendar"; names, titles and contents stay as typed. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { spellingOf } from '../../integrations/extractors/message/message-spelled.ts'
import { spelled } from '../../integrations/extractors/message/message-spelling.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'

const NOW = Date.parse('2026-11-30T10:00:00Z')
const fieldsOf = (text: string) =>
  createMessageExtractor(undefined, undefined, undefined, undefined, spelled).extract(text, {
    now: NOW,
    timezone: 'UTC',
  })

import { plansOf } from './plans-of.ts'

describe('a request', () => {
  it.each([
    ['dont wake me', "don't wake me"],
    ['im in madrid this week', "i'm in madrid this week"],
    ['remind me fri if sarah hasnt replied', "remind me fri if sarah hasn't replied"],
    ['whos coming', "who's coming"],
    ['they havent paid and youve seen it', "they haven't paid and you've seen it"],
    ['whats on tomorow', "what's on tomorrow"],
    ['move tomrrows team sync', "move tomorrow's team sync"],
    ['todays plan', "today's plan"],
    ['every mornign at 8', 'every morning at 8'],
    ['wednsday thrusday saterday sunady', 'wednesday thursday saturday sunday'],
    ['on the 3rd of febuary', 'on the 3rd of february'],
    ['am Donnertag um 8', 'am Donnerstag um 8'],
    ['mittwcoh oder übermrogen', 'mittwoch oder übermorgen'],
    ['put that in my calender', 'put that in my calendar'],
    ['put it in the calandar', 'put it in the calendar'],
    ['pack das in meinen Kalendar', 'pack das in meinen kalender'],
  ])('%s', (typed, text) => expect(spelled(typed)).toBe(text))

  it.each([
    'lunch with Frida',
    'dinner with Susan Sontag',
    'Montage am Auto',
    'im Juli bin ich weg',
    'was steht im Kalender',
    'mourning in black',
    'bins out tuesdays',
    'its colour',
    'write to Tom: im late, see you tomorow',
    'book “Fryday nite club” for Tom',
  ])('stays: %s', (typed) => expect(spelled(typed)).toBe(typed))

  it('gives its parts back as they were typed', () => {
    const { text, typed } = spellingOf('tell him we cant do tomorow evning ok', spelled)
    expect(text).toBe("tell him we can't do tomorrow evening ok")
    expect(typed("we can't do tomorrow evening")).toBe('we cant do tomorow evning')
    expect(typed("can't")).toBe('cant')
    expect(typed('elsewhere')).toBe('elsewhere')
    // No word of it, and what begins within one.
    expect(typed('en')).toBe('en')
  })

  it('gives articles back as they were typed', () => {
    const { text, typed } = spellingOf('trag mir morgen um 9 ne runde joggen ein', spelled)
    expect(text).toBe('trag mir morgen um 9 eine runde joggen ein')
    expect(typed('eine runde joggen')).toBe('ne runde joggen')
  })

  it.each(["put rock 'n roll night in my calendar friday at 8", "rock 'n' roll at 8"])(
    'no article of another language: %s',
    (text) => expect(spellingOf(text, spelled).text).toBe(text),
  )
})

describe('what reads it', () => {
  it.each([
    ['dont disturb me until 3pm', 'quiet.set'],
    ['im in madrid this week', 'zone.set'],
    ['im back home', 'zone.back'],
    ['tom may ask when im free', 'people.invite'],
  ])('an operation: %s', (typed, name) => expect(operationInMessage(typed)?.operation.name).toBe(name))

  it.each([
    ['remind me to take my pills every mornign at 8', { intent: 'reminder_set', repeat: 'daily' }],
    ['remind me fri if sarah hasnt replied', { intent: 'job_watch', repeat: 'once', person: 'sarah' }],
    ['remind me tomorow at 9 to call mum', { from: '2026-12-01T09:00:00+00:00', topic: 'call mum' }],
    ['erinnere mich am Donnertag um 9 an die Miete', { from: '2026-12-03T09:00:00+00:00' }],
  ])('its fields: %s', (typed, fields) => expect(fieldsOf(typed)).toMatchObject(fields))

  it('keeps closed words as they are', () => {
    expect(fieldsOf('what is on this evning')).toMatchObject({ language: 'en' })
  })

  it('names a thing by the words that were typed, wherever they stand', () => {
    const [plan] = plansOf(['book lunch with Tom tommorow at 1 and call it Yoga'], false)
    expect(plan).not.toContain(' Yog"')
    const [made] = plansOf(['put “Yoga” in my calender tomorow at 7pm'], false)
    expect(made).toContain('Yoga')
  })

  it('keeps a text as it was typed', () => {
    expect(fieldsOf('remind me at 9 to say that we cant come')).toMatchObject({
      topic: 'say that we cant come',
    })
  })
})
