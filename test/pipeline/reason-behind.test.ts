/** A request about what was shown last, with its reason behind it, is that request. */
import { expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { onlyOne } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const done = () => ({ ok: true, output: {} }) as const

async function read(): Promise<World> {
  const own = ['email.delete', 'email.spam', 'email.archive'].map((id) => [id, done] as const)
  const world = createWorld({
    tools: { ...mailTools(), ...calendarTools(), ...Object.fromEntries(own) },
    contacts: [{ name: 'Tom Baker', email: 'tom@baker.example' }],
    models: [createRulesModel({ place: 'home', home: HOME_RULES })],
    pushes: true,
  })
  await world.say('any new mail?')
  await world.say('read the one from Sarah')
  return world
}

it.each([
  ['delete that one', 'Move these mails to the trash'],
  ["delete that one, it's spam", 'Move these mails to the trash'],
  ['delete it, its junk', 'Move these mails to the trash'],
  ['lösch die, ist spam', 'Move these mails to the trash'],
  ['lösch sie, das ist werbung', 'Move these mails to the trash'],
])('%s', async (said, words) => {
  const world = await read()
  await world.say(said)
  expect((await onlyOne(world)).full).toContain(words)
})

it.each(['delete it, and tell tom i am late', 'archive it, no, delete it'])(
  'more than a reason is not cut off: %s',
  async (said) => {
    const world = await read()
    await world.say(said)
    expect(world.heard()).not.toMatch(/^May I do this\? Move these mails to the trash\.(?!.*(?:only|part))/s)
  },
)
