/** Reminders are ended and moved in the words that people have for it. */
import { expect, it } from 'vitest'
import { operationInMessage } from '../../kernel/operations/commands.ts'

it.each([
  ['stop reminding me about the gutters, the roofer came', 'reminders.cancel', { which: 'gutters' }],
  ['There is no longer any need to remind me about the piano.', 'reminders.cancel', { which: 'piano' }],
  ['Do kindly drop the reminder about the stamps', 'reminders.cancel', { which: 'stamps' }],
  ['Erinner mich nicht mehr ans Gießen, das macht die Nachbarin', 'reminders.cancel', { which: 'Gießen' }],
  ['snooze the boiler reminder to tomorrow 9am', 'reminders.move', { which: 'boiler', when: 'tomorrow 9am' }],
  [
    'verschieb die Erinnerung an die Miete auf morgen um 9',
    'reminders.move',
    { which: 'Miete', when: 'morgen um 9' },
  ],
])('%s', (text, name, args) => {
  const called = operationInMessage(text)
  expect(called?.operation.name).toBe(name)
  expect(called?.args).toMatchObject(args)
})
