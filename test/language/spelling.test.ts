/** A message as it would be spelt: apostrophes left out, and slips in words of time and in "calendar"; names, titles and contents stay as typed. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { spelled } from '../../integrations/extractors/message/message-spelling.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'

const NOW = Date.parse('2026-11-30T10:00:00Z')
const fieldsOf = (text: string) =>
  createMessageExtractor(undefined, undefined, undefined, undefined, spelled).extract(text, {
    now: NOW,
    timezone: 'UTC',
  })

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
  ])('%s', (typed, text) => expect(spelled(typed).text).toBe(text))

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
  ])('stays: %s', (typed) => expect(spelled(typed).text).toBe(typed))

  it('gives its parts back as they were typed', () => {
    const { text, asTyped } = spelled('tell him we cant do tomorow evning ok')
    expect(text).toBe("tell him we can't do tomorrow evening ok")
    expect(asTyped("we can't do tomorrow evening")).toBe('we cant do tomorow evning')
    expect(asTyped({ body: "can't", other: ['elsewhere', 3] })).toEqual({
      body: 'cant',
      other: ['elsewhere', 3],
    })
  })
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

  it('keeps a text as it was typed', () => {
    expect(fieldsOf('remind me at 9 to say that we cant come')).toMatchObject({
      topic: 'say that we cant come',
    })
  })
})
