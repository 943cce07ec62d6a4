/** Questions of what is allowed to whom, in everyday words, are answered by the lists of it. */
import { expect, it } from 'vitest'
import { readDates } from '../../integrations/dates/read.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'

it.each([
  ['who may ask you things', 'about.asking'],
  ['who is allowed to ask you anything?', 'about.asking'],
  ['wer darf dich etwas fragen?', 'about.asking'],
  ['what are you allowed to do without asking', 'grants.list'],
  ['what can you do without asking me?', 'grants.list'],
  ['was darfst du ohne zu fragen?', 'grants.list'],
  ['was kannst du, ohne mich zu fragen?', 'grants.list'],
])('%s: %s', (said, name) => expect(operationInMessage(said)?.operation.name).toBe(name))

it.each(['today and tomorrow', 'today & tomorow'])('%s is both days', (said) => {
  const read = readDates(`whats on ${said}`, {
    now: Date.parse('2026-11-30T10:00:00Z'),
    zone: createZone('UTC'),
  })
  expect([read.span?.from, read.span?.to]).toEqual([Date.parse('2026-11-30'), Date.parse('2026-12-02')])
})
