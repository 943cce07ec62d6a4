/**
 * Quiet hours asked for in any order of words, with one or two times or a night, and what looks like them and is an event or
 * a question.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld } from './world.ts'

/** Madrid, Friday 20 November 2026, 12:00. */
async function heard(said: string): Promise<readonly [string, string | null]> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  await of.say(said)
  return [of.heard().split('\n')[0] ?? '', of.disk.store.setting('quiet')]
}

const hours = (from: number, to: number) =>
  JSON.stringify({ hours: { from: from * 60, to: to * 60 }, until: null })

describe('hours', () => {
  it.each([
    ['quiet from 9pm to 7am please', 21, 7],
    ['quiet hours 9pm to 7am', 21, 7],
    ['please be quiet between 10pm and 6am', 22, 6],
    ['I want silence from 22:00 to 7:00', 22, 7],
    ['from 10 at night until 6 please no messages', 22, 6],
    ['no pings after 8pm until 7am', 20, 7],
    ['dont disturb me after 9 in the evening', 21, 7],
    ["don't message me after 10pm", 22, 7],
    ['never bother me past 11 at night', 23, 7],
    ['lass mich von zehn abends bis halb sieben in ruh', 22, 6.5],
    ['zwischen 21 und halb 8 bitte keine nachrichten', 21, 7.5],
  ])('%s', async (said, from, to) => expect((await heard(said))[1]).toBe(hours(from, to)))
})

describe('a night', () => {
  it.each([
    "don't bother me tonight",
    'please leave me alone tonight',
    'no messages tonight please',
    'stör mich heute nacht nicht',
    'lass mich heute nacht in ruhe',
    'heute nacht bitte keine nachrichten',
  ])('%s', async (said) =>
    expect((await heard(said))[1]).toBe(
      JSON.stringify({ hours: null, until: Date.parse('2026-11-21T06:00:00Z') }),
    ),
  )
})

describe('is none', () => {
  it.each([
    'quiet dinner with mira from 9pm to 11pm',
    'book a quiet room from 9 to 11',
    'when is it quiet from 9pm to 7am?',
    "don't message sarah after 9pm",
    'the neighbours were quiet tonight',
    "don't wake me at 7",
    'schreib tom heute nacht nicht',
  ])('%s', async (said) => expect((await heard(said))[1]).toBeNull())
})

it.each(['wie sind meine ruhezeiten', 'wie sind denn meine Ruhezeiten?'])('is shown: %s', async (said) =>
  expect((await heard(said))[0]).toMatch(/quiet hours|Ruhezeit/i),
)
