/**
 * Credentials that no model sees (L-12, L-13, L-14, L-16, L-18, M-28): a step that lacks one waits, the
 * answer is taken before anything is kept, and what waited goes on; through restarts, too.
 */

import { beforeEach, describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import {
  askCredential,
  CREDENTIAL_WAIT,
  MAX_CREDENTIAL_QUESTIONS,
  openQuestions,
} from '../../kernel/features/credentials/ask-credential.ts'
import { createCredentials, MAX_CREDENTIAL_TRIES } from '../../kernel/features/credentials/credentials.ts'
import { sentBy } from '../../kernel/features/people/route.ts'
import { test } from '../../kernel/flow/labeled.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { openTextOf } from '../../kernel/powers/sealed.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { createLane } from '../../kernel/runtime/lane.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { createDisk, createWorld, type Disk, message, scriptedModel, type World } from './world.ts'

const TOKEN = 'ya29.cAnaRy-tokEn_7319.of-the-0wner'
const MAIL = { emails: [], more: false }
const ASK = 'show my unread mail'
const PAGE = 'https://edge.example.com/secret/cAnaRy-page-5523'

let disk: Disk
let lacking: Set<string>
let given: string[]
let outcome: ReasonCode | null
let closed: ReasonCode | null
/** Home's word that a service is connected; its tools go on lacking the credential. */
let said: true | null
let retracted: string[]

beforeEach(() => {
  disk = createDisk()
  lacking = new Set(['email', 'calendar'])
  given = []
  outcome = null
  closed = null
  said = null
  retracted = []
})

/** Home on this disk: again after a restart. */
function home(): World {
  return createWorld({
    disk,
    models: [scriptedModel('spy', ({ parts }) => (parts.purpose === 'plan' ? '{"steps":[]}' : 'ok'))],
    tools: {
      'email.list': () => ({ ok: true, output: MAIL }),
      'calendar.create_event': () => ({ ok: false, reason: { code: 'tool_failed', facts: {} } }),
    },
    retract: ({ message: gone }) => {
      retracted.push(gone)
      return { ok: true, value: true }
    },
    credentials: {
      lacking,
      refusal: () => closed,
      page: async () => ({ url: PAGE, fingerprint: 'abcd efgh' }),
      async give(_service, value) {
        given.push(value)
        if (outcome !== null) return { ok: false, reason: { code: outcome, facts: {} } }
        if (said === null) lacking.clear()
        return { ok: true, value: 'stored' }
      },
      ...(said !== null && { isConnected: () => given.length > 0 }),
    },
  })
}

/** As a channel that can delete messages brings it. */
async function send(world: World, text: string, id: string, quoted: readonly string[] = []): Promise<void> {
  const received = await world.shell.receive({ ...message(text, { id }), message: id, quoted })
  if (!received.ok) throw new Error(received.reason.code)
  await world.shell.run(received.value.principal)
  await new Promise((done) => setTimeout(done, 0))
  await world.shell.run(received.value.principal)
}

/** Whatever is to lie in a row, before it is sealed. */
function everySealed({ powers: { sealer } }: World): readonly string[] {
  const kept: string[] = []
  const { seal } = sealer
  sealer.seal = (address, bytes) => {
    kept.push(new TextDecoder().decode(bytes))
    return seal(address, bytes)
  }
  return kept
}

const texts = (world: World): readonly string[] => world.sent.map(({ text }) => text)
/** The answer to a message and what became of it come one after the other, in either order. */
const told = (world: World): string => texts(world).slice(-2).join('\n')
const waiting = (world: World): number => openQuestions(world.powers).length

describe('the link of its one-time page', () => {
  const DAY = 86_400_000

  it.each(['/connect google', ASK])(
    '%s: the link is in the delivery to the owner, and in no later prompt or turn',
    async (asks) => {
      const world = home()
      await send(world, asks, 'm1')
      expect(told(world)).toContain(PAGE)
      await send(world, 'cancel', 'm2')
      await send(world, 'what did I say just now?', 'm3')
      expect(world.prompts.length).toBeGreaterThan(0)
      expect(
        JSON.stringify(world.prompts.map(({ parts, system, user }) => [parts, system, user])),
      ).not.toContain(PAGE)
      const turns = disk.store.recentTurns('principal:owner', 10)
      const kept = turns.flatMap(({ words, answer }) => (answer === null ? [words] : [words, answer]))
      const said = await Promise.all(kept.map((ref) => openTextOf(world.powers, ref)))
      expect(said.length).toBeGreaterThan(1)
      for (const text of said)
        expect(text.ok && test(text.value, (words) => !words.includes(PAGE))).toBe(true)
    },
  )

  it('lies nowhere once its day is over', async () => {
    const world = home()
    await send(world, '/connect google', 'm1')
    const asked = disk.store.recentTasks('principal:owner', 1)[0]?.answer
    if (asked == null) throw new Error('nothing was answered')
    expect((await openTextOf(world.powers, asked)).ok).toBe(true)
    world.clock.now += DAY
    disk.store.expireSealed(world.clock.now)
    expect((await openTextOf(world.powers, asked)).ok).toBe(false)
  })
})

describe('a step that lacks a credential', () => {
  it('waits, says what it needs, and goes on with the very step once it is there', async () => {
    const world = home()
    const task = await world.say(ASK)
    expect((await world.shell.report(task))?.task.state).toBe('awaiting_approval')
    expect(world.heard()).toMatch(
      /access to Google first[\s\S]*Google Cloud console[\s\S]*pfar connect google/,
    )
    expect(world.sent.at(-1)).toMatchObject({ kind: 'notice', approval: null })
    expect(world.calls).toEqual([])
    await send(world, TOKEN, 'm2')
    expect(given).toEqual([TOKEN])
    expect(world.calls.map(({ tool }) => tool)).toEqual(['email.list'])
    expect((await world.shell.report(task))?.task.state).toBe('completed')
    expect([waiting(world), retracted]).toEqual([0, ['m2']])
  })

  it('waits through a restart, and goes on however the credential came', async () => {
    const before = home()
    const task = await before.say(ASK)
    const after = home()
    await after.shell.recover()
    expect(waiting(after)).toBe(1)
    lacking.clear()
    await after.shell.connected()
    expect((await after.shell.report(task))?.task.state).toBe('completed')
  })

  it('goes on after a crash between the storing and the going on', async () => {
    const task = await home().say(ASK)
    lacking.clear()
    const after = home()
    await after.shell.tick()
    expect((await after.shell.report(task))?.task.state).toBe('completed')
  })

  it('takes no yes for one', async () => {
    const world = home()
    const task = await world.say(ASK)
    const [open] = openQuestions(world.powers)
    const choice = { approval: open?.approval.id ?? '', principal: 'principal:owner', place: 'home' } as const
    expect(await world.shell.decide({ ...choice, decision: 'approve' })).toMatchObject({
      reason: { code: 'credential_missing' },
    })
    expect((await world.shell.report(task))?.task.state).toBe('awaiting_approval')
  })

  it('is leave to look again, and no yes to the write that waited for it', async () => {
    const world = home()
    const task = await world.say('book lunch with Sarah on Friday at 13:00')
    await send(world, TOKEN, 'm2')
    const [question] = world.disk.store.pendingApprovals(null)
    expect(question?.approval).toMatchObject({ task, kind: 'tainted_write', tool: 'calendar.create_event' })
    expect(world.calls.filter(({ tool }) => tool === 'calendar.create_event')).toEqual([])
  })

  it('asks once for a task, though the step lacks it still when it was given', async () => {
    said = true
    const world = home()
    const task = await world.say(ASK)
    await send(world, TOKEN, 'm2')
    expect([given, waiting(world)]).toEqual([[TOKEN], 0])
    expect((await world.shell.report(task))?.task).toMatchObject({
      state: 'completed',
      trouble: 'credential_missing',
    })
  })

  it('is asked of the owner for tasks of the owner only', async () => {
    const { powers } = home()
    const own = disk.store.loadTask(await home().say('hello'))
    if (own === null) throw new Error('no task')
    const asked = async (principal: string): Promise<boolean> => {
      const control = receive('', kernelWords())
      const lacking = { task: { ...own, principal }, step: 's1', why: null, sink: own.sink, control }
      return (await askCredential(powers, 'google', lacking)) !== null
    }
    const [his, theirs] = [await asked('principal:owner'), await asked('principal:telegram:peer:7')]
    expect([his, theirs]).toEqual([true, false])
  })

  it('asks so many times at once', async () => {
    const world = home()
    for (let n = 0; n < MAX_CREDENTIAL_QUESTIONS; n += 1) await world.say(ASK)
    expect(waiting(world)).toBe(MAX_CREDENTIAL_QUESTIONS)
    const task = await world.say(ASK)
    expect(waiting(world)).toBe(MAX_CREDENTIAL_QUESTIONS)
    expect((await world.shell.report(task))?.task.trouble).toBe('credential_missing')
  })
})

describe('while it is awaited (L-16)', () => {
  it('other messages are answered as ever', async () => {
    const world = home()
    await world.say(ASK)
    const other = await world.say('hello there')
    expect((await world.shell.report(other))?.task).toMatchObject({ state: 'completed', trouble: null })
    expect([given, waiting(world)]).toEqual([[], 1])
  })

  it.each(['cancel', 'Cancel.', '/cancel'])('%s ends it', async (words) => {
    const world = home()
    const task = await world.say(ASK)
    await send(world, words, 'm2')
    expect((await world.shell.report(task))?.task).toMatchObject({
      state: 'completed',
      trouble: 'credential_cancelled',
    })
    expect([given, waiting(world), retracted]).toEqual([[], 0, []])
  })

  it('time ends it, with a word', async () => {
    const world = home()
    await world.say('/connect google')
    const task = await world.say(ASK)
    world.clock.now += CREDENTIAL_WAIT
    await world.shell.tick()
    expect((await world.shell.report(task))?.task.trouble).toBe('approval_expired')
    const ends = texts(world).filter((text) => /^Nobody gave me access to Google in time/.test(text))
    expect(ends).toHaveLength(2)
    expect(waiting(world)).toBe(0)
    await send(world, TOKEN, 'm9')
    expect(given).toEqual([])
  })
})

describe('what answers it', () => {
  it('an answer to its own message, whatever that looks like', async () => {
    const world = home()
    await world.say(ASK)
    await send(world, 'another-shape-of-token', 'm2', [world.heard()])
    expect(given).toEqual(['another-shape-of-token'])
  })

  it('a message of the owner in the chat of the question, and of nobody else', async () => {
    const world = home()
    await world.say('/connect google')
    const { powers } = world
    const { take } = createCredentials(powers, createLane(powers), async () => undefined)
    const sent = sentBy(powers, message(TOKEN, { id: 'm2' }))
    if (!sent.ok) throw new Error(sent.reason.code)
    const { event, principal, chat } = sent.value
    const group = { ...event, source: { ...event.source, group: true } }
    expect(take(sent.value)?.secret).toBe(true)
    expect(take({ event, principal, chat: { ...chat, id: 'sink:telegram:open' } })).toBeNull()
    expect(take({ event: group, principal, chat })).toBeNull()
    for (const as of ['third_party', 'paired'] as const)
      expect(take({ event, principal: { ...principal, class: as }, chat })).toBeNull()
  })

  it('at the edge, a message that comes again while it is still asked for goes home once', async () => {
    const world = createWorld({
      place: 'edge',
      credentials: {
        lacking,
        refusal: () => null,
        isConnected: () => false,
        async give(_service, value) {
          given.push(value)
          return { ok: true, value: 'sent' }
        },
      },
    })
    await world.say('/connect google')
    const one = { ...message(TOKEN, { id: 'm2', place: 'edge' }), message: 'm2' }
    for (let n = 0; n < 2; n += 1) expect((await world.shell.receive(one)).ok).toBe(true)
    expect([given, waiting(world)]).toEqual([[TOKEN], 1])
  })

  it('the same message twice is one answer, and the second is read by nobody either', async () => {
    const world = home()
    await world.say(ASK)
    await send(world, TOKEN, 'm2')
    const prompts = world.prompts.length
    await send(world, TOKEN, 'm2')
    expect([given, world.prompts.length - prompts]).toEqual([[TOKEN], 0])
  })
})

it('the value is in no row, prompt, delivery, audit line or turn (L-13)', async () => {
  const world = home()
  const kept = everySealed(world)
  const task = await world.say(ASK)
  await send(world, TOKEN, 'm2')
  await world.say('what did I say before?')
  expect([given, kept.length > 3]).toEqual([[TOKEN], true])
  const { store } = disk
  const prompts = world.prompts.map(({ system, user }) => [system, user])
  const rows = [store.loadTask(task), store.recentTasks('principal:owner', 9), store.auditOf(task)]
  expect(JSON.stringify([kept, rows, prompts, world.sent, world.audited])).not.toContain(TOKEN)
})

describe('a wrong one (L-18)', () => {
  it('is told, and after so many the task ends and nothing is asked any more', async () => {
    const world = home()
    const task = await world.say(ASK)
    outcome = 'credential_rejected'
    await send(world, TOKEN, 'm2')
    expect(told(world)).toMatch(/did not accept that\. Nothing was stored\. You have 2 more tries/)
    await send(world, TOKEN, 'm3')
    expect(told(world)).toMatch(/one more try/)
    expect((await world.shell.report(task))?.task.state).toBe('awaiting_approval')
    await send(world, TOKEN, 'm4')
    expect(given).toHaveLength(MAX_CREDENTIAL_TRIES)
    expect((await world.shell.report(task))?.task).toMatchObject({
      state: 'completed',
      trouble: 'credential_missing',
    })
    expect([waiting(world), world.calls]).toEqual([0, []])
  })

  it('one that could not be tried costs no try', async () => {
    const world = home()
    await world.say(ASK)
    outcome = 'network_failed'
    for (let n = 0; n <= MAX_CREDENTIAL_TRIES; n += 1) await send(world, TOKEN, `m${n}`)
    expect(told(world)).toMatch(/could not try/)
    expect(waiting(world)).toBe(1)
  })
})

it('nobody is asked for what could not be stored', async () => {
  const world = home()
  closed = 'key_development'
  const task = await world.say(ASK)
  expect((await world.shell.report(task))?.task.trouble).toBe('credential_missing')
  await world.say('/connect google')
  expect([waiting(world), world.heard()]).toEqual([0, wordsFor('key_development')])
})

describe('/connect', () => {
  it('asks for the credential in the chat of the request, and says when it works', async () => {
    const world = home()
    await world.say('connect google')
    expect(world.heard()).toMatch(/^To connect Google/)
    await world.say('/connect google')
    expect(waiting(world)).toBe(1)
    await send(world, TOKEN, 'm2')
    expect(texts(world)).toContain('Google is connected.')
    await world.say('/connect google')
    expect(world.heard()).toMatch(/connected already/)
  })

  it.each(['/connect', '/connect evil', 'connect somebody-elses-service'])(
    '%s asks for nothing',
    async (words) => {
      const world = home()
      await world.say(words)
      const lines = TOOL_MANIFESTS.flatMap(({ credential, connect }) =>
        connect === undefined ? [] : [`/connect ${credential}: ${connect.title}`],
      )
      expect(lines).toContain('/connect google: Google')
      const all = ['I can connect:', ...[...new Set(lines)].sort()].join('\n')
      expect([waiting(world), world.heard()]).toEqual([0, all])
    },
  )

  it('a place that keeps none asks for none', async () => {
    const world = createWorld({ place: 'edge' })
    await world.say('/connect google')
    expect(world.heard()).toMatch(/private line only/)
  })
})
