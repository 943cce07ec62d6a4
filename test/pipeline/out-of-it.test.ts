/** "Mach 16 Uhr draus": a time for the card that waits, or for what was just booked; nothing else is made of it. Without a model. */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { waiting } from './approvals-owner.ts'
import { decideFirst } from './asked-world.ts'
import { createWorld, type World } from './world.ts'

const EVENT = {
  ...{ id: 'e1', title: 'Budget review', attendees: 0, allDay: false },
  ...{ from: '2026-11-20T15:00:00+01:00', to: '2026-11-20T16:00:00+01:00' },
}
const tools = {
  'calendar.list_events': () => ({ ok: true as const, output: { events: [EVENT], more: false } }),
  'calendar.create_event': ({ from, to }: Readonly<Record<string, unknown>>) => ({
    ok: true as const,
    output: { id: 'e2', from: String(from), to: String(to) },
  }),
  'calendar.update_event': () => ({ ok: true as const, output: { id: 'e1' } }),
  'email.send_later': () => ({ ok: true as const, output: { id: 'l1' } }),
}
const contacts = [{ name: 'Tom Baker', email: 'tom@baker.example' }]

async function cardAfter(world: World, said: string): Promise<string> {
  await world.say(said)
  const [card, ...others] = await waiting(world)
  expect(others).toEqual([])
  return card?.full ?? ''
}

const models = [createRulesModel({ place: 'home', home: HOME_RULES })]

describe('"mach … draus"', () => {
  it.each([
    ['verschieb Budget review auf 17 Uhr', 'mach 16 Uhr draus', 'starts: Friday 20 November, 16:00'],
    [
      'verschieb Budget review auf 17 Uhr',
      'nee, mach lieber halb 6 draus',
      'starts: Friday 20 November, 17:30',
    ],
    ['trag morgen um 15 Uhr Friseur ein', 'mach 4 draus', 'starts: Saturday 21 November, 16:00'],
    ['schreib Tom morgen um 8 eine Mail: hallo', 'mach 9 draus', 'at: Saturday 21 November, 09:00'],
  ])('%s, %s', async (first, said, time) => {
    const world = createWorld({ tools, contacts, models })
    await world.say(first)
    expect(await cardAfter(world, said)).toContain(time)
  })

  it('right after it was booked it is moved', async () => {
    const world = createWorld({ tools, contacts, models })
    await world.say('trag morgen um 15 Uhr Friseur ein')
    await decideFirst(world, 'approve')
    expect(await cardAfter(world, 'mach 17 Uhr draus')).toContain('starts: Saturday 21 November, 17:00')
  })

  it('what is no time is none', async () => {
    const world = createWorld({ tools, contacts, models })
    await world.say('verschieb Budget review auf 17 Uhr')
    expect(await cardAfter(world, 'mach 2 Termine draus')).toContain('starts: Friday 20 November, 17:00')
  })
})
