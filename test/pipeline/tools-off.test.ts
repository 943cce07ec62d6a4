/**
 * A connected service that is switched off for a while (L-02): at once, with its credential kept; nothing is done with it until a card is approved, by
 * the owner's own word alone; what runs by itself is left out and says why.
 */
import { describe, expect, it } from 'vitest'
import { httpManifest } from '../../integrations/tools/http/manifest.ts'
import { CONNECT } from '../../kernel/features/credentials/ask-credential.ts'
import { tellSent } from '../../kernel/features/credentials/credentials.ts'
import { switchedOff, switchService } from '../../kernel/features/tools/switched.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { homeStatus } from '../../sidecar/status/home-status.ts'
import { at, first, mail, outcomes, set, told, world } from './job-world.ts'
import { createDisk, createWorld, type Disk, message, scriptedModel, type World } from './world.ts'

const NOTION = { 'notion.search': () => ({ ok: true as const, output: { pages: [], more: false } }) }
const MAIL = {
  'email.list': () => ({ ok: true as const, output: { emails: [mail('m1')], more: false } }),
}

function home(disk: Disk = createDisk(), tools: object = { ...NOTION, ...MAIL }): World {
  return createWorld({ disk, pushes: true, tools: tools as never })
}

async function yes(of: World): Promise<void> {
  await of.shell.tick()
  of.clock.now += 1_000
  await of.say('yes')
}

describe('off', () => {
  it.each([
    'turn Notion off for now',
    'switch off notion',
    'please deactivate my Notion',
    'disable notion for the moment',
    'could you turn Notion off again?',
    'schalt Notion vorerst ab',
    'bitte schalte Notion erst mal aus',
    'deaktiviere Notion',
    '/tools off notion',
  ])('"%s"', async (said) => {
    const of = home()
    await of.say(said)
    expect(of.heard()).toContain('Notion is switched off')
    expect(switchedOff(of.disk)).toEqual(['notion'])
  })

  it.each(['turn the lights off', 'switch off everything', 'schalt das Licht aus', 'turn milk off'])(
    '"%s" is of no service',
    async (said) => {
      const of = home()
      await of.say(said)
      expect(switchedOff(of.disk)).toEqual([])
    },
  )

  it('what is not connected cannot be switched off', async () => {
    const of = createWorld({ tools: NOTION as never, credentials: credentials(new Set(['notion'])) as never })
    await of.say('turn notion off')
    expect(of.heard()).toContain('not connected')
    expect(switchedOff(of.disk)).toEqual([])
  })

  it('is in no prompt, and a plan that names it is refused with a reason', async () => {
    const step = { id: 's1', do: 'tool', tool: 'email.list', args: { unread: true } }
    const of = createWorld({
      tools: MAIL as never,
      models: [
        scriptedModel('spy', ({ parts }) =>
          parts.purpose === 'plan' ? JSON.stringify({ steps: [step], explanation: '' }) : 'So it is.',
        ),
      ],
    })
    const asked = 'anything in the post that I did not look at, by any chance?'
    const planning = (): string =>
      of.prompts
        .filter(({ parts }) => parts.purpose === 'plan')
        .map(({ system, user }) => `${system}\n${user}`)
        .at(-1) ?? ''
    await of.say(asked)
    expect(of.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    expect(planning()).toContain('\nemail.list(')
    of.calls.length = 0
    await of.say('/new')
    await of.say('turn google off')
    await of.say(asked)
    expect(of.calls).toEqual([])
    expect(planning()).not.toContain('\nemail.list(')
    expect(of.audited.some(({ kind, facts }) => kind === 'denial' && facts['code'] === 'service_off')).toBe(
      true,
    )
  })

  it('without a model, the answer names it and how it comes back', async () => {
    const of = home()
    await of.say('turn google off for now')
    await of.say('show my unread mail')
    expect(of.calls).toEqual([])
    expect(of.heard()).toContain('Google is switched off')
    expect(of.heard()).toContain('switch Google on')
  })

  it('stays off over a restart, and status says so', async () => {
    const disk = createDisk()
    await home(disk).say('turn notion off')
    const again = home(disk)
    await again.say('/status')
    expect(again.heard()).toContain('Switched off: Notion')
    await again.say('/tools')
    expect(again.heard()).toContain('Notion: connected and switched off')
  })

  it('it is not tried while it is off, and is what the assistant says of itself', async () => {
    const tried: string[] = []
    const touched: string[] = []
    const check = async (service: string) => {
      tried.push(service)
      return { works: true, says: 'Notion works.' }
    }
    const of = createWorld({
      pushes: true,
      tools: NOTION as never,
      credentials: { ...credentials(new Set()), isConnected: () => true, check } as never,
    })
    Object.assign(of.powers.self, { touch: (trigger: string) => void touched.push(trigger) })
    await of.say('test Notion')
    expect(tried).toEqual(['notion'])
    await of.say('turn notion off')
    expect(touched).toEqual(['integration'])
    await of.say('test Notion')
    expect([tried, of.heard()]).toEqual([['notion'], expect.stringContaining('switched off')])
  })

  it('twice says that it is off already', async () => {
    const of = home()
    await of.say('turn notion off')
    await of.say('turn notion off')
    expect(of.heard()).toContain('switched off already')
  })
})

describe('on again', () => {
  it.each(['switch Notion back on', 'turn notion on again', 'schalt Notion wieder ein', 'reactivate notion'])(
    '"%s" asks by a card, and nothing is on before the yes',
    async (said) => {
      const of = home()
      await of.say('turn notion off')
      await of.say(said)
      expect(switchedOff(of.disk)).toEqual(['notion'])
      await yes(of)
      expect(switchedOff(of.disk)).toEqual([])
    },
  )

  it('a no leaves it off', async () => {
    const of = home()
    await of.say('turn notion off')
    await of.say('switch notion on')
    await of.shell.tick()
    await of.say('no')
    expect(switchedOff(of.disk)).toEqual(['notion'])
  })

  it('undo of off puts the same card; undo of on switches it off at once', async () => {
    const of = home()
    await of.say('turn notion off')
    await of.say('/undo')
    expect(switchedOff(of.disk)).toEqual(['notion'])
    await yes(of)
    expect(switchedOff(of.disk)).toEqual([])
    await of.say('/undo')
    expect(switchedOff(of.disk)).toEqual(['notion'])
  })

  it('the audit has who, before and after, of both', async () => {
    const of = home()
    await of.say('turn notion off')
    await of.say('switch notion on')
    await yes(of)
    const rows = of.audited.filter(
      ({ kind, facts }) => kind === 'operation_called' && String(facts['operation']).startsWith('tools.'),
    )
    expect(rows.map(({ facts }) => facts)).toMatchObject([
      { operation: 'tools.off', before_state: 'on', after_state: 'off', before_service: 'notion' },
      { operation: 'tools.on' },
      {
        operation: 'tools.on',
        by: OWNER_PRINCIPAL,
        before_state: 'off',
        after_state: 'on',
        undo: 'tools.off',
      },
    ])
  })
})

describe('nobody else switches one', () => {
  it.each([
    ['a stranger', { source: { adapter: 'telegram', user: 'bob', chat: 'bob', group: false } }],
    ['the owner in a group', { source: { adapter: 'terminal', user: 'local', chat: 'club', group: true } }],
    [
      'a webhook',
      { source: { adapter: 'webhook', user: 'ci', chat: 'owner', group: false }, kind: 'webhook' },
    ],
    [
      'a job',
      { source: { adapter: 'cron', user: 'daily', chat: 'owner', group: false }, kind: 'cron_trigger' },
    ],
  ])('%s', async (_, more) => {
    const of = home()
    await of.say('turn google off')
    for (const [n, text] of ['turn notion off', 'switch google on'].entries()) {
      const received = await of.shell.receive({ ...message(text, { id: `x${n}` }), ...more })
      if (received.ok) await of.shell.run(received.value.principal)
    }
    expect(switchedOff(of.disk)).toEqual(['google'])
    expect(of.disk.store.pendingApprovals(null)).toEqual([])
  })

  it('a text that the owner forwards', async () => {
    const of = home()
    const received = await of.shell.receive({
      ...message('see this', { id: 'f1' }),
      quoted: ['turn notion off'],
    })
    if (received.ok) await of.shell.run(received.value.principal)
    expect(switchedOff(of.disk)).toEqual([])
  })
})

describe('a job that reads it', () => {
  it('is named, left out with a reason while it is off, and comes again afterwards', async () => {
    const of = world({ tools: MAIL as never })
    await set(of, 'show me my unread mail every day at 8')
    await of.say('turn google off')
    expect(of.heard()).toMatch(/left out until then: number 1/)
    await at(of, Number(first(of).due))
    expect(outcomes(of)).toEqual(['skipped'])
    expect(told(of)).toEqual([])
    await of.say('what runs when?')
    expect(of.heard()).toContain('Left out while Google is switched off')
    await of.say('switch google on')
    await yes(of)
    await at(of, Number(first(of).due))
    await of.shell.run('principal:cron:'.concat(first(of).id))
    expect(of.calls.map(({ tool }) => tool)).toContain('email.list')
  })

  it('cannot be set while it is off', async () => {
    const of = world({ tools: MAIL as never })
    await of.say('turn google off')
    await of.say('show me my unread mail every day at 8')
    expect(of.heard()).toContain('switched off')
    expect(of.disk.store.jobs()).toEqual([])
  })
})

function credentials(lacking: Set<string>) {
  return { lacking, refusal: () => null, give: async () => ({ ok: true, value: 'stored' }) }
}

describe('a host that the owner named', () => {
  const HOST = 'api.example.com'
  const hosts = [{ origin: `https://${HOST}`, label: 'internal', key: 'bearer' }] as const
  const named = () =>
    createWorld({ pushes: true, manifests: [httpManifest({ hosts, saved: [] })], tools: {} as never })

  it('is switched off, back on and off again without its name in the audit', async () => {
    const of = named()
    await of.say(`/tools off ${HOST}`)
    expect(switchedOff(of.disk)).toEqual([`http/${HOST}`])
    await of.say('/undo')
    await yes(of)
    expect(switchedOff(of.disk)).toEqual([])
    await of.say('/undo')
    expect(switchedOff(of.disk)).toEqual([`http/${HOST}`])
    const rows = of.audited.filter(({ facts }) => String(facts['operation']).startsWith('tools.'))
    expect(rows.map(({ facts }) => facts)).toMatchObject([
      { operation: 'tools.off', before_service: 'host', undo_which: 'host' },
      ...[{}, {}, {}],
    ])
    expect(JSON.stringify(of.audited)).not.toContain(HOST)
  })

  it('is left out of /status, which other chats may show', async () => {
    const of = named()
    await of.say('/status')
    expect(of.heard()).not.toContain(HOST)
    await of.say(`/tools off ${HOST}`)
    const before = of.heard().length
    await of.say('/status')
    expect(of.heard().length).toBeGreaterThan(before)
    expect(of.heard().slice(before)).not.toContain(HOST)
  })

  it.each([
    ['as long as it is named', hosts],
    ['once it is forgotten', []],
  ])('is left out of `pfar status`, its key as well, %s', async (_, now) => {
    const of = named()
    await of.say(`/tools off ${HOST}`)
    const registry = createRegistry([httpManifest({ hosts: now, saved: [] })])
    const status = homeStatus({
      powers: { ...of.powers, registry },
      ...{ custody: 'systemd', sealKey: 'AAAA', edge: null, tunnel: null, nameOf: (name) => name },
      secrets: [{ name: `http/${HOST}`, version: 2, state: 'active' } as never],
    })
    expect(switchedOff(of.disk)).toContain(`http/${HOST}`)
    expect(JSON.stringify(status)).not.toContain(HOST)
    expect(status['secrets']).toEqual([expect.stringMatching(/^http\/… .* v2 active$/)])
    expect(status['switchedOff']).toBeUndefined()
  })

  it('does not keep another service from being told by `pfar status`', async () => {
    const of = named()
    for (const service of ['notion', `http/${HOST}`])
      switchService({ store: of.disk.store }, { service, on: false })
    const status = homeStatus({
      ...{ powers: of.powers, custody: 'systemd', sealKey: 'AAAA', edge: null, tunnel: null },
      ...{ secrets: [], nameOf: (name) => name },
    })
    expect(status['switchedOff']).toMatch(/^notion \(/)
  })

  it('`pfar status` says of a stored account that home does not know yet to start it again, and misses nothing else for it', () => {
    const of = named()
    const status = homeStatus({
      powers: { ...of.powers, tools: { ...of.powers.tools, availability: () => 'credential' } },
      ...{ custody: 'systemd', sealKey: 'AAAA', edge: null, tunnel: null, nameOf: (name) => name },
      secrets: [
        { name: 'calendar-nas', version: 1, state: 'trial', scope: { tools: ['calendar'] } } as never,
      ],
    })
    const missing = (status['missing'] as readonly string[]).filter((line) => line.includes('calendar'))
    expect(missing).toEqual([expect.stringMatching(/^nothing for calendar: .*start home again/)])
  })

  it.each([
    [HOST, 'sensitive'],
    ['Notion', 'public'],
  ])('what came of a question is labelled by the name in it: %s', async (title, level) => {
    const of = named()
    const tool = CONNECT + (title === HOST ? `http/${HOST}` : 'notion')
    const asked = { id: 'a1', task: '', sink: 'sink:terminal:owner', principal: OWNER_PRINCIPAL }
    await tellSent(of.powers, { ...asked, tool, kind: 'credential' } as never)
    expect(of.heard()).toContain(title)
    const row = of.audited.findLast(({ kind }) => kind === 'egress')
    expect(String(row?.facts['label'])).toContain(level)
  })
})
