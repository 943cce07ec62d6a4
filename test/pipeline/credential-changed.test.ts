/**
 * A credential is replaced and deleted by talking (L-07, L-10): the new one is tried while the old one stays, and nothing is deleted before a yes to its
 * card. Not on a line that the edge can read.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { openQuestions } from '../../kernel/features/credentials/ask-credential.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { world as jobWorld, set } from './job-world.ts'
import { createDisk, createWorld, type Disk, message, type World } from './world.ts'

const OLD = `ntn_${'Old0Old0'.repeat(6)}`
const NEW = `ntn_${'New1New1'.repeat(6)}`
const HOUR = 3_600_000

let stored: string | null
let refusal: ReasonCode | null
let isTried: boolean
let removed: [string, string][]

beforeEach(() => {
  stored = OLD
  refusal = null
  isTried = true
  removed = []
})

const credentials = {
  lacking: new Set<string>(),
  refusal: () => null,
  isConnected: () => stored !== null,
  async give(_: string, value: string) {
    stored = value
    return { ok: true, value: 'stored' } as const
  },
  async replace(service: string, value: string) {
    if (stored === null) return refused('credential_missing', service)
    if (refusal !== null) return refused(refusal, service)
    stored = value
    return { ok: true, value: isTried ? 'stored' : 'untried' } as const
  },
  hasStored: () => stored !== null,
  remove(service: string, sink: string) {
    removed.push([service, sink])
    stored = null
  },
}

function refused(code: ReasonCode, credential: string) {
  return { ok: false, reason: { code, facts: { credential } } } as const
}

const TOOLS = { 'notion.search': () => ({ ok: true, output: { pages: [], more: false } }) }

function home(disk: Disk = createDisk(), more: object = {}): World {
  return createWorld({
    disk,
    pushes: true,
    tools: TOOLS as never,
    credentials: credentials as never,
    ...more,
  })
}

async function settled(of: World): Promise<void> {
  await new Promise((done) => setTimeout(done, 0))
  await of.shell.tick()
}

async function say(of: World, words: string): Promise<string> {
  const before = of.sent.length
  of.clock.now += 1_000
  await of.say(words)
  await settled(of)
  return of.sent
    .slice(before)
    .map(({ text }) => text)
    .join('\n')
}

describe('another credential', () => {
  it.each(['rotate my Notion token', 'give Notion a new key', 'ein neuer Zugangsschlüssel für Notion'])(
    '"%s" asks for it, and what works takes the place of the old one',
    async (said) => {
      const of = home()
      expect(await say(of, said)).toMatch(
        /The present one is used until Notion has accepted it[\s\S]*pfar secret rotate notion/,
      )
      expect([stored, openQuestions(of.powers)]).toEqual([OLD, [expect.anything()]])
      expect(await say(of, NEW)).toContain('Notion took the new credential, and I use it from now on.')
      expect([stored, openQuestions(of.powers)]).toEqual([NEW, []])
      const rows = JSON.stringify([of.audited, of.prompts, of.sent])
      expect(rows).not.toContain(NEW)
      expect(of.audited.some(({ facts }) => facts['tool'] === 'rotate.notion')).toBe(true)
    },
  )

  it('that the service refuses leaves the old one in place, and ends after three', async () => {
    const of = home()
    await say(of, 'rotate my notion token')
    refusal = 'credential_rejected'
    const first = await say(of, NEW)
    expect(first).toMatch(
      /did not accept that\. Nothing was stored\. You have 2 more tries.*The one that you gave before stays in use\./,
    )
    await say(of, NEW)
    expect(await say(of, NEW)).toMatch(/I ask no more.*stays in use/)
    expect([stored, openQuestions(of.powers)]).toEqual([OLD, []])
  })

  it('that could not be tried leaves the old one in place, and says why', async () => {
    const of = home()
    await say(of, 'rotate my notion token')
    refusal = 'network_failed'
    expect(await say(of, NEW)).toMatch(/could not try[\s\S]*could not reach[\s\S]*stays in use/)
    expect([stored, openQuestions(of.powers)]).toEqual([OLD, [expect.anything()]])
  })

  it('that no tool can try is said to be untried', async () => {
    const of = home()
    await say(of, 'rotate my notion token')
    isTried = false
    expect(await say(of, NEW)).toContain('I could not try it')
  })

  it('that never comes, or is cancelled, leaves the old one in place', async () => {
    const of = home()
    await say(of, 'rotate my notion token')
    expect(await say(of, 'cancel')).toContain('Cancelled')
    await say(of, 'rotate my notion token')
    of.clock.now += 2 * HOUR
    await settled(of)
    expect(of.heard()).toContain(
      'Nobody gave me another credential for Notion in time. The one that you gave before stays',
    )
    expect([stored, openQuestions(of.powers)]).toEqual([OLD, []])
  })

  it('is still asked for after a restart, though the service is connected', async () => {
    const disk = createDisk()
    await say(home(disk), 'rotate my notion token')
    const again = home(disk)
    await again.shell.connected()
    expect(openQuestions(again.powers)).toHaveLength(1)
    await say(again, NEW)
    expect(stored).toBe(NEW)
  })

  it('is the answer to its question, whatever it looks like, and an ordinary message is none', async () => {
    const of = home()
    const question = await say(of, 'rotate my notion token')
    await say(of, 'what is on my list?')
    expect([stored, openQuestions(of.powers)]).toEqual([OLD, [expect.anything()]])
    const received = await of.shell.receive({
      ...message('no-shape-7319', { id: 'quoting' }),
      quoted: [question],
    })
    if (!received.ok) throw new Error(received.reason.code)
    await settled(of)
    expect(stored).toBe('no-shape-7319')
  })

  it('is the first where the old one was removed meanwhile', async () => {
    const of = home()
    await say(of, 'rotate my notion token')
    stored = null
    await say(of, NEW)
    expect([stored, openQuestions(of.powers)]).toEqual([NEW, []])
  })

  it('is asked for at no place that cannot replace it, such as the edge', async () => {
    const { replace: _, ...edge } = credentials
    const of = home(createDisk(), { credentials: edge })
    expect(await say(of, 'rotate my notion token')).toMatch(
      /on your private line, or typed at home: pfar secret rotate notion/,
    )
    expect(openQuestions(of.powers)).toEqual([])
  })
})

describe('deleting the access to a service', () => {
  it.each(['remove Notion', 'disconnect notion', 'take Notion away again', 'ich will Notion nicht mehr'])(
    '"%s" asks by a card, and a yes in another message deletes it',
    async (said) => {
      const of = home()
      const card = await say(of, said)
      expect(card).toContain('Nothing is deleted yet.')
      expect(card).toMatch(
        /Delete my access to Notion\?[\s\S]*for good[\s\S]*What lies at Notion stays there\./,
      )
      expect(removed).toEqual([])
      expect(await say(of, 'yes')).toContain('Delete my access to Notion?')
      expect(removed).toEqual([['notion', 'sink:terminal:owner']])
      const rows = of.audited.filter(({ facts }) => facts['operation'] === 'tools.remove')
      expect(rows.at(-1)?.facts).toMatchObject({ before_state: 'connected', after_state: 'open', ok: true })
      expect(await say(of, '/undo')).not.toContain('Taken back')
    },
  )

  it('is not done by a no', async () => {
    const of = home()
    await say(of, 'remove notion')
    await say(of, 'no')
    expect([removed, stored]).toEqual([[], OLD])
  })

  it('says that there is nothing to take away, and asks nothing', async () => {
    stored = null
    const of = home()
    expect(await say(of, 'remove notion')).toContain('I hold no access of yours to Notion')
    expect(of.sent.filter(({ kind }) => kind === 'card')).toEqual([])
  })

  it('of what stands in for a service, such as a demo, asks nothing', async () => {
    const of = home(createDisk(), { credentials: { ...credentials, titleOf: () => 'demo notes' } })
    expect(await say(of, 'remove notion')).toContain('I hold no access of yours to Notion')
    expect(of.sent.filter(({ kind }) => kind === 'card')).toEqual([])
  })

  it('names the jobs that it stops', async () => {
    const mail = { 'email.list': () => ({ ok: true, output: { emails: [], more: false } }) }
    const of = jobWorld({ tools: mail as never, credentials: credentials as never })
    await set(of, 'show me my unread mail every day at 8')
    expect(await say(of, 'remove google')).toMatch(
      /What runs by itself with it can do that no more: job number 1\./,
    )
  })

  it.each(['remove milk', 'delete the second one', 'forget the key for the shed', 'entferne die Eier'])(
    '"%s" is of no service',
    async (said) => {
      const of = home()
      await say(of, said)
      expect(of.sent.filter(({ kind }) => kind === 'card')).toEqual([])
      expect(removed).toEqual([])
    },
  )

  it('without a name lists what can be named', async () => {
    const of = home()
    expect(await say(of, '/disconnect')).toMatch(
      /deletes my access to a service[\s\S]*disconnect notion: Notion/,
    )
  })
})
