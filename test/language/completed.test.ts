/**
 * The whole request that an answer makes of what was asked back: for each code that asks for something, in both languages. An answer that is none, or that leaves
 * what was asked for open, makes nothing.
 */
import { describe, expect, it } from 'vitest'
import { completed } from '../../integrations/models/rules/completed.ts'

const CONTEXT = { now: Date.parse('2026-11-20T12:00:00Z'), timezone: 'Europe/Madrid' }
const whole = (code: string, request: string, answer: string) => completed({ code, request, answer }, CONTEXT)

describe('whole', () => {
  it.each([
    ['needs_time', 'remind me to call mum', '7', 'remind me to call mum at 7'],
    [
      'needs_time',
      'remind me to call mum',
      "let's say tomorrow at 9 please",
      'remind me to call mum tomorrow at 9',
    ],
    ['needs_time', 'book lunch with Sarah', 'friday at 1pm', 'book lunch with Sarah friday at 1pm'],
    ['needs_new_time', 'move the dentist', 'friday at 4', 'move the dentist to friday at 4'],
    [
      'needs_day',
      'remind me every month to pay rent',
      'on the 3rd at 8',
      'remind me every month on the 3rd at 8 to pay rent',
    ],
    [
      'needs_date',
      'remind me on 31 november at 9 to call mum',
      '30 november at 9',
      'remind me on 30 november at 9 to call mum',
    ],
    [
      'repeats_which_days',
      'remind me twice a week to water the plants',
      'monday and thursday',
      'remind me every monday and thursday to water the plants',
    ],
    [
      'repeats_which_days',
      'remind me twice a week to water the plants',
      'on mondays and thursdays',
      'remind me on mondays and thursdays to water the plants',
    ],
    [
      'repeats_which_times',
      'remind me three times a day to take the pill',
      'at 8, 13 and 18',
      'remind me every day at 8, 13 and 18 to take the pill',
    ],
    [
      'repeats_two_ways',
      'remind me every second friday to pay rent',
      'every 2 weeks on friday',
      'remind me every 2 weeks on friday to pay rent',
    ],
    ['needs_place', 'will it rain tomorrow?', 'Lisbon', 'will it rain tomorrow in Lisbon'],
    ['needs_place', 'regnet es morgen?', 'in Lissabon', 'regnet es morgen in Lissabon'],
    ['needs_invitation', 'accept the invitation', 'Sarah', 'accept the invitation from Sarah'],
    ['which_mail', 'read the mail', 'the one from Sarah', 'read the mail from Sarah'],
    [
      'contact_unknown',
      'write a mail to Bob: hello',
      'bob@example.com',
      'write a mail to bob@example.com: hello',
    ],
    ['needs_title', 'book friday at 13:00', 'lunch with Sarah', 'book friday at 13:00 lunch with Sarah'],
    [
      'needs_fact',
      'remember',
      'the wifi password is on the fridge',
      'remember the wifi password is on the fridge',
    ],
    ['needs_task', 'setz auf meine Liste', 'Milch', 'setz Milch auf meine Liste'],
    ['needs_reminder', 'remind me', 'to call mum', 'remind me to call mum'],
  ])('%s: %s, %s', (code, request, answer, said) => {
    expect(whole(code, request, answer)).toBe(said)
  })
})

describe('no answer', () => {
  const REQUEST = 'remind me to call mum'
  it.each([
    ["what's on tomorrow?"],
    ["what's on tomorrow"],
    ['no'],
    ['never mind'],
    ['vergiss es'],
    ['put milk on my list'],
    ['at 7 with Sarah in the office'],
    ['at 7\nand at 8'],
    ['Sarah'],
    [''],
  ])('to a time: %j', (answer) => {
    expect(whole('needs_time', REQUEST, answer)).toBeNull()
  })

  it.each([['not_understood'], ['not_available'], ['repeats_unclear'], ['Tell me when'], ['']])(
    'to the code %j, which asks for nothing that one answer is',
    (code) => {
      expect(whole(code, REQUEST, 'at 7')).toBeNull()
    },
  )

  it.each([
    ['needs_place', 'will it rain tomorrow?', 'check my mail'],
    ['which_mail', 'read the mail', 'what is on my calendar'],
    ['needs_task', 'add to my list', 'what is on my list'],
    ['repeats_which_days', 'remind me twice a week to water the plants', 'at 7'],
    ['needs_time', `remind me to ${'call mum and '.repeat(12)}dad`, 'at 7'],
  ])('%s: %s, %s', (code, request, answer) => {
    expect(whole(code, request, answer)).toBeNull()
  })
})
