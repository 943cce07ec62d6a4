/**
 * Groups of the owner's own, said without a model: who is in one, what changes it, what takes that back, and that whoever
 * writes to a group or invites it is shown each address on the card.
 */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { holdContacts } from '../../kernel/features/contacts/opened.ts'
import { decideFirst } from './asked-world.ts'
import { brainWorld } from './brain.ts'
import { calendarTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World } from './world.ts'

const PEOPLE = ['Sarah', 'Tom', 'Lena', 'Jana']

const tools: Record<string, ScriptedTool> = {
  ...calendarTools(),
  'email.send': () => ({ ok: true, output: { to: [], refused: [], filed: true } }),
}

async function having(...said: readonly string[]): Promise<World> {
  const home = createRulesModel({ place: 'home', home: HOME_RULES })
  const world = createWorld({ tools, models: [home] })
  for (const name of PEOPLE) await world.say(`add ${name}, ${name.toLowerCase()}@example.com, to my contacts`)
  for (const one of said) await world.say(one)
  return world
}

const TEAM = 'my team is Sarah, Tom and Lena'
const inGroup = ({ powers }: World, group: string): string =>
  powers
    .profile()
    .contacts.flatMap(({ name, groups = [] }) => (groups.includes(group) ? [name] : []))
    .join(' ')

describe('who is in a group', () => {
  it.each([
    [[TEAM], 'team', 'Lena Sarah Tom'],
    [['our team consists of Sarah and Lena'], 'team', 'Lena Sarah'],
    [['make a book club with Sarah, Lena'], 'book club', 'Lena Sarah'],
    [['mein Team sind Sarah und Tom'], 'team', 'Sarah Tom'],
    [['mein Team besteht aus Sarah, Tom und Lena'], 'team', 'Lena Sarah Tom'],
    [['erstelle eine Gruppe Rom mit Sarah und Jana'], 'rom', 'Jana Sarah'],
    [[TEAM, 'my team is Jana and Tom'], 'team', 'Jana Tom'],
    [[TEAM, 'put Jana into my team'], 'team', 'Jana Lena Sarah Tom'],
    [[TEAM, 'nimm Jana in mein Team auf'], 'team', 'Jana Lena Sarah Tom'],
    [[TEAM, 'remove Tom and Lena from the team'], 'team', 'Sarah'],
    [[TEAM, 'entferne Tom aus meinem Team'], 'team', 'Lena Sarah'],
    [[TEAM, 'remove everyone from my team'], 'team', ''],
    [[TEAM, 'remove Tom from the team', '/undo'], 'team', 'Lena Sarah Tom'],
    [[TEAM, '/undo'], 'team', ''],
    [[TEAM, 'our band is Tom and Jana'], 'team', 'Lena Sarah Tom'],
    [[TEAM, "change Tom's address to tom@new.example"], 'team', 'Lena Sarah Tom'],
  ])('%j', async (said, group, members) => {
    const world = await having(...said)
    const names = inGroup(world, group).split(' ').toSorted().join(' ')
    expect(names).toBe(members)
  })

  it.each(['my team is Mia Berg and Sarah', 'mein Team sind Mia Berg und Sarah'])(
    'may be a contact of config.toml, which becomes one of the owner’s own: %s',
    async (said) => {
      const home = createRulesModel({ place: 'home', home: HOME_RULES })
      const contacts = [
        { name: 'Mia Berg', email: 'mia@configured.example' },
        { name: 'Ole', email: 'ole@configured.example' },
      ]
      const world = createWorld({ tools, contacts, models: [home] })
      await world.say('add Sarah, sarah@example.com, to my contacts')
      await world.say(said)
      expect(inGroup(world, 'team').split(' ').toSorted().join(' ')).toBe('Berg Mia Sarah')
      expect(world.disk.store.contactRows()).toHaveLength(2)
      await world.say('who are my contacts')
      expect(world.heard()).toMatch(/2\. Mia Berg: mia@configured\.example\n• Ole: ole@configured\.example/)
      // Whoever is meant by the name is one person.
      expect(world.powers.profile().contacts.filter(({ name }) => name === 'Mia Berg')).toHaveLength(1)
      await world.say('my team is Mia Berg and Ole')
      expect(world.disk.store.contactRows()).toHaveLength(3)
      await world.say('/undo')
      expect(inGroup(world, 'team').split(' ').toSorted().join(' ')).toBe('Berg Mia Sarah')
    },
  )

  it.each(['who is in my team?', 'wer ist in meinem Team?', 'show me my team'])('%s', async (asked) => {
    const world = await having(TEAM, asked)
    expect(world.heard()).toBe(
      '3. Lena: lena@example.com\n1. Sarah: sarah@example.com\n2. Tom: tom@example.com',
    )
  })

  it('is sealed with each contact, and there after a restart', async () => {
    const world = await having(TEAM)
    expect(JSON.stringify([world.disk.store.contactRows(), world.audited])).not.toMatch(/team|sarah/i)
    const again = createWorld({ disk: world.disk })
    await holdContacts(again.powers)
    expect(inGroup(again, 'team').split(' ').toSorted()).toEqual(['Lena', 'Sarah', 'Tom'])
  })

  it.each([
    ['my team is Sarah, Tom and Nobody', 'I know no address of Nobody'],
    ['who is in my band?', 'You have told me of no such group'],
    ['remove Tom from my band', 'You have told me of no such group'],
  ])('changes nothing where somebody or the group is unknown: %s', async (said, answer) => {
    const world = await having(TEAM, said)
    expect(world.heard()).toContain(answer)
    expect(inGroup(world, 'team').split(' ')).toHaveLength(3)
  })

  it.each(['my locker is 14', 'my favourite colours are red and blue'])('is none: %s', async (said) => {
    const world = await having(said)
    expect(world.heard()).not.toMatch(/group|address/)
  })
})

describe('writing to a group', () => {
  const EACH = ['lena@example.com', 'sarah@example.com', 'tom@example.com']

  it.each([
    ['invite my team to lunch on Friday at 12', 'calendar.create_event', 'attendees'],
    ['book lunch on Friday at 12 and invite my team', 'calendar.create_event', 'attendees'],
    ['lade mein Team am Freitag um 12 zum Mittagessen ein', 'calendar.create_event', 'attendees'],
    ['lade mein Team zum Mittagessen am Freitag um 12 ein', 'calendar.create_event', 'attendees'],
    ['mail my team that the call is moved', 'email.send', 'to'],
    ['write to my team: the call is moved', 'email.send', 'to'],
    ['schreib meinem Team: der Anruf ist verschoben', 'email.send', 'to'],
  ])('%s', async (said, tool, argument) => {
    const world = await having(TEAM)
    await world.say(said)
    for (const address of EACH) expect(world.heard()).toContain(address)
    expect(world.heard()).not.toContain('jana@example.com')
    // Who comes in later is not on the card that waits.
    await world.say('put Jana into my team')
    await decideFirst(world, 'approve')
    const sent = world.calls.filter((call) => call.tool === tool).map(({ args }) => args[argument])
    expect(sent.map((all) => [...(all as readonly string[])].toSorted())).toEqual([EACH])
  })

  it('a planner is told which named contacts are in it', async () => {
    const model = scriptedModel('local', () => '{"steps":[]}')
    const world = await brainWorld({ tools, models: [model] })
    for (const name of PEOPLE)
      await world.say(`add ${name}, ${name.toLowerCase()}@example.com, to my contacts`)
    await world.say(TEAM)
    await world.say('something odd for my team please')
    const { user = '' } = world.prompts.filter(({ parts }) => parts.purpose === 'plan').at(-1) ?? {}
    expect(user).toMatch(/known Sarah; groups team>/)
    expect(user).not.toContain('known Jana')
  })
})

it.each([
  [20, 1],
  [22, 0],
])('of groups of %i people together all are written to, or nobody', async (count, cards) => {
  const contacts = Array.from({ length: count }, (_, n) => ({
    ...{ name: `Person${n}`, email: `p${n}@example.com`, groups: [n < 11 ? 'team' : 'book club'] },
  }))
  const home = createRulesModel({ place: 'home', home: HOME_RULES })
  const world = createWorld({ tools, models: [home], contacts })
  await world.say('mail my team and my book club that the call is moved')
  const asked = await world.ports.approvals.list('principal:owner')
  expect(asked).toHaveLength(cards)
  for (const { full } of asked) expect(full.match(/p\d+@example\.com/g)).toHaveLength(count)
})
