/** What the demo's mailbox or calendar gave is called so below the answer, once, and never where an account of the owner's did. */
import { describe, expect, it } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { demoNote } from '../../sidecar/secrets/vault-names.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World, type WorldOptions } from './world.ts'

const MAILBOX = 'That is the demo mailbox.'
const CALENDAR = 'That is the demo calendar.'
const BOTH = 'That is the demo mailbox and calendar.'
const MAIL =
  '[tools.mail]\naddress = "ada@acme.example"\nimap = "imap.acme.example:993"\nsmtp = "smtp.acme.example:465"\n'
const ICS = '[[tools.calendar.accounts]]\nname = "club"\nkind = "ics"\nserver = "https://cal.example.com"\n'

function configOf(text: string): Parameters<typeof demoNote>[0] {
  const config = parseConfig(text)
  if (!config.ok) throw new Error(config.reason.code)
  return config.value
}

function demo(more: WorldOptions = {}, config = '[tools.google]\ndemo = true\naccount = "demo"\n'): World {
  const read = configOf(config)
  return createWorld({
    tools: { ...mailTools(), ...calendarTools() },
    credentials: {
      ...{ lacking: new Set<string>(), refusal: () => null, give: async () => err('tool_unavailable') },
      demoNote: (actions) => demoNote(read, actions),
    },
    ...more,
  })
}

/** A model that plans these steps, and writes an answer of its own. */
const planning = (...steps: readonly object[]) =>
  scriptedModel('local', ({ parts: { purpose } }) =>
    purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'A text of a model.',
  )
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
const TIMES = { from: '2026-11-20T08:00:00Z', to: '2026-11-21T08:00:00Z' }
const EVENTS = { id: 's2', do: 'tool', tool: 'calendar.list_events', args: TIMES }

describe('an answer', () => {
  it.each([
    ['any new mail?', MAILBOX],
    ['what is on my calendar tomorrow?', CALENDAR],
    ['am I free tomorrow afternoon?', CALENDAR],
  ])('%s: ends with what it is of', async (said, line) => {
    const world = demo()
    await world.say(said)
    expect(world.heard().endsWith(`\n\n${line}`)).toBe(true)
    expect(world.heard().split('That is the demo')).toHaveLength(2)
  })

  it.each([
    ['of mail', [LIST], MAILBOX],
    ['of both', [LIST, EVENTS], BOTH],
  ])('by a model, %s, says it too, and the model is not shown it later', async (_, steps, line) => {
    const world = demo({ models: [planning(...steps)] })
    await world.say('please do the unusual thing')
    expect(world.heard()).toBe(`A text of a model.\n\n${line}`)
    await world.say('and the unusual thing once more')
    const shown = world.prompts.map(({ system, user }) => `${system}\n${user}`).join('\n')
    expect(shown).toContain('A text of a model.')
    expect(shown).not.toContain('That is the demo')
  })

  it('to a booking says whose calendar has it', async () => {
    const world = demo()
    await world.say('book lunch with Ann on Friday at 13:00')
    const [waiting] = world.disk.store.pendingApprovals(OWNER_PRINCIPAL)
    const approval = waiting?.approval.id ?? ''
    await world.shell.decide({ approval, decision: 'approve', principal: OWNER_PRINCIPAL, place: 'home' })
    await world.shell.run(OWNER_PRINCIPAL)
    expect(world.heard()).toMatch(/^Booked: [\s\S]*\n\nThat is the demo calendar\.$/)
  })

  it.each(['what can you do?', 'remember that I take my tea at five', 'thanks'])(
    '%s: without any of its rows says nothing of it',
    async (said) => {
      const world = demo()
      await world.say(said)
      expect(world.heard()).not.toContain('demo')
    },
  )

  it('whose step failed says nothing of it', async () => {
    const world = demo({ tools: { 'email.list': () => err('remote_unavailable') } })
    await world.say('any new mail?')
    expect(world.heard()).not.toContain('That is the demo')
  })

  it.each([
    ['mailbox', '[tools.google]\naccount = "me"\n'],
    ['mailbox by IMAP', MAIL],
    ['mailbox by IMAP, beside the demo', `[tools.google]\ndemo = true\naccount = "demo"\n${MAIL}`],
  ])('of an own %s never says it', async (_, config) => {
    const world = demo({}, config)
    await world.say('any new mail?')
    expect(world.heard()).not.toContain('That is the demo')
  })
})

it('an own calendar beside the demo’s mailbox: each by what gave it', () => {
  const config = configOf(`[tools.google]\ndemo = true\naccount = "demo"\n${ICS}`)
  expect(demoNote(config, ['email.list', 'calendar.list_events'])).toBe(MAILBOX)
  expect(demoNote(config, ['calendar.list_events'])).toBeNull()
})
