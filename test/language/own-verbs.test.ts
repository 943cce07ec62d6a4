/** What the owner does is no title of an event: a question says it with a common verb, and what stands behind it is looked for. */
import { expect, it } from 'vitest'
import { plansOf } from './plans-of.ts'

it.each([
  ['was mach ich nächstes wochenende', null],
  ['was machen wir morgen?', null],
  ['was unternehmen wir am samstag', null],
  ['wann fahr ich nach stuttgart?', 'stuttgart'],
  ['wann fliegen wir nach Rom?', 'Rom'],
  ['wann geh ich zum Zahnarzt?', 'Zahnarzt'],
])('“%s” lists the calendar, and looks for %j', (text, sought) => {
  const { fields, plan } = JSON.parse(plansOf([text], false)[0] ?? '')
  expect(plan.steps.map(({ tool }: { tool?: string }) => tool)).toContain('calendar.list_events')
  expect((fields.topic ?? null)?.toLowerCase() ?? null).toBe(sought?.toLowerCase() ?? null)
})

it.each(['trag morgen um 9 Fahrt nach Stuttgart ein', 'book Machine learning tomorrow at 9'])(
  'a title that only begins like one stays: %s',
  (text) => {
    const { fields } = JSON.parse(plansOf([text], false)[0] ?? '')
    expect(fields.topic).toMatch(/^(?:Fahrt nach Stuttgart|Machine learning)$/)
  },
)
