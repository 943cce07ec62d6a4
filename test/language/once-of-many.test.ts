/** What comes again is never set once: reminders and events that say how often, in ways that no rule of theirs reads. A reminder comes without a card, so nobody would see it. */
import { expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const ENGLISH = {
  often:
    'every monday,each monday,every day,daily,every morning,mondays,on mondays,every other week,weekly,every weekday,every 2 weeks,once a week,monthly,every month on the 3rd'.split(
      ',',
    ),
  forms: [
    (often: string) => `${often} at 7 remind me take bins out`,
    (often: string) => `bins out ${often} 7am remind me`,
    (often: string) => `i need to take my pill ${often} at 8`,
    (often: string) => `stick yoga in ${often} at 6pm`,
    (often: string) => `can you get me to water the plants ${often} at 6pm`,
    (often: string) => `send sarah@example.com the report ${often} at 9`,
  ],
}
const GERMAN = {
  often:
    'jeden montag,jeden tag,täglich,jeden morgen,montags,alle zwei wochen,wöchentlich,werktags,jede woche,jeden ersten im monat,alle 3 tage,immer montags,einmal die woche'.split(
      ',',
    ),
  forms: [
    (often: string) => `${often} um 7 müll rausstellen erinnern`,
    (often: string) => `müll ${often} 7 uhr erinnerung`,
    (often: string) => `ich muss ${often} um 8 die tabletten nehmen`,
    (often: string) => `${often} 18 uhr yoga eintragen`,
    (often: string) => `denk ${often} um 7 dran dass ich die blumen giesse`,
  ],
}
const ONCE = /^(?:reminder\.set|calendar\.create_event|email\.\w+_later)$/

it.each(
  [ENGLISH, GERMAN].flatMap(({ often, forms }) => forms.flatMap((form) => often.map((one) => form(one)))),
)('%s', (text) => {
  const { calls, asked } = readingOf(text)
  const once = [...calls, ...asked].filter(
    ({ tool, args }) => ONCE.test(tool) && args['repeat'] === undefined,
  )
  expect(once).toEqual([])
})

it.each([
  ['remind me tomorrow at 9 to send the weekly report', 'reminder.set'],
  ['erinner mich um 17 uhr an den wochenplan', 'reminder.set'],
  ['book the quarterly review on friday at 10', 'calendar.create_event'],
])('is of one time: %s', (text, tool) =>
  expect(readingOf(text).calls.map((call) => call.tool)).toEqual([tool]),
)
