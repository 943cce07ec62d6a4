/**
 * The past stays readable (E-14, Q-19): a state that commit a0fb213 was killed in, once under a development
 * key and once under a passphrase, is opened by today's program at the moment at which it was left, and
 * everything that was under way there is finished: nothing is lost, nothing runs twice, and its backup opens
 * on an empty machine.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listApprovals } from '../../kernel/features/approvals/operations/list.ts'
import { directiveHistory } from '../../kernel/features/directives/operations/history.ts'
import { restoreDirective } from '../../kernel/features/directives/operations/restore.ts'
import { showDirective } from '../../kernel/features/directives/operations/show.ts'
import { listGrants } from '../../kernel/features/grants/operations/list.ts'
import { listIdentities } from '../../kernel/features/identities/operations/list.ts'
import { listMemory } from '../../kernel/features/memory/operations/list.ts'
import { listPeople } from '../../kernel/features/people/operations/list.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { decideOn, waitingOn } from '../../sidecar/cli/chat/cards.ts'
import type { Link } from '../../sidecar/cli/line/link.ts'
import type { Finding } from '../../sidecar/doctor/finding.ts'
import { PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import { type Line, lineOf } from './chaos-bench.ts'
import { onTerminal } from './keys-bench.ts'
import { pfar } from './restore-bench.ts'
import { type Kind, manifestOf, type OpenedState, openState, useModel } from './state-bench.ts'
import { NOTES } from './state-world.ts'
import { run } from './terminal-bench.ts'

/** Milliseconds for whatever follows by itself, on a busy machine. */
const SOON = 90_000
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

/** Of an own command whose name the program took. */
const TAKEN = "/pause has the name of one of the program's, which is the one that runs."
const OTHER = 'another machine’s own words'

const KINDS: readonly Kind[] = ['development', 'passphrase']

/**
 * The name of an event is that of the token it was made with, which is signed when the yes is spent; all else
 * is what was agreed to.
 */
const withoutName = (body: string): string => body.replace(/"id":"pfar[0-9a-f]+"/, '"id":"pfar"')

describe.each(KINDS)('made under a key of the kind %s', (kind) => {
  const manifest = manifestOf(kind)
  const { card, tasks, telegram, texts } = manifest
  let state: OpenedState
  let own: Line
  let open: Line
  beforeAll(async () => {
    state = await openState(kind, manifest)
    own = lineOf(state.folder, 'private')
    open = lineOf(state.folder, 'open')
  })
  afterAll(() => state?.close())

  const asked = (end: string) => state.world.asked.filter(({ line }) => line.endsWith(end))
  async function of<T>(line: Line, use: (link: Link) => Promise<Result<T>>): Promise<T> {
    const found = await line.link(use)
    if (!found.ok) throw new Error(JSON.stringify(found.reason))
    return found.value
  }
  const ended = (line: Line, task: string): Promise<TaskReport> =>
    until(async () => {
      const found = await line.link((link) => link.report(task))
      return found.ok && ['completed', 'failed'].includes(found.value.task.state) ? found.value : null
    }, SOON)
  const ask = async (line: Line, text: string): Promise<string> =>
    (await ended(line, await line.say(text))).reply ?? ''
  /** What the edge's bot says in a chat that did not stand there. */
  const said = (chat: number): readonly string[] => {
    const before = new Set(manifest.standing.map(({ id }) => id))
    return [...state.bot.messenger.messages.values()].flatMap((one) =>
      one.byBot && one.chat === chat && !before.has(one.id) ? [one.text] : [],
    )
  }
  async function writes(chat: number, text: string, answer: RegExp): Promise<void> {
    const before = said(chat).length
    const message = messageFrom(chat, text, { message_id: state.bot.write(chat, text) })
    expect(await state.bot.bring(update(message))).toBe(200)
    const since = (): readonly string[] => said(chat).slice(before)
    await until(() => since().some((one) => answer.test(one)), SOON).catch(() => {
      throw new Error(`said to ${text}: ${JSON.stringify(since())}`)
    })
  }

  test('a task in the middle of its calls goes on with the call that was cut off, and with no other', async () => {
    const { reply, task } = await ended(own, tasks.each)
    expect([task.state, task.trouble]).toEqual(['completed', null])
    for (const lantern of ['alpha', 'beta', 'gamma']) expect(reply).toContain(`lantern ${lantern}`)
    expect(['/messages', '/m1', '/m2', '/m3'].map((end) => asked(end).length)).toEqual([0, 0, 1, 1])
    expect(asked('/m3')[0]?.authorization).toBe(`Bearer ${manifest.google.token}`)
  })

  test('an answer of home’s that lay sealed for an edge that was gone arrives, once', async () => {
    const { reply, task } = await ended(open, tasks.answered)
    expect([task.state, task.trouble]).toEqual(['completed', null])
    expect(reply).toMatch(/free/)
    const answers = (await of(open, (link) => link.deliveries(0, 0))).filter(
      (row) => row.task === tasks.answered && row.kind === 'answer',
    )
    expect(answers.map(({ text }) => text)).toEqual([reply])
  })

  test('what waited for home is answered in its chat, and an answer that its chat did not take is delivered, each once', async () => {
    const told = (words: RegExp): readonly string[] => said(OWNER_ID).filter((text) => words.test(text))
    await until(() => told(/you are free/).length > 0 && told(/I am PFAR/).length > 0, SOON)
    // What is asked after them is answered after them.
    await writes(OWNER_ID, 'what do you know about my locker?', /217/)
    expect([told(/you are free/).length, told(/I am PFAR/).length]).toEqual([1, 1])
    // The other one had been asked for before the end.
    expect(asked('/freeBusy')).toHaveLength(1)
  })

  test('the card that waited is approved, and runs byte for byte, once', async () => {
    const posts = () => state.world.asked.filter(({ line }) => line === card.request.line)
    const waiting = await of(own, (link) => waitingOn(link))
    expect(waiting.find(({ id }) => id === card.approval)).toMatchObject({
      ...{ id: card.approval, task: card.task, tool: card.tool, card: card.card },
    })
    expect(posts()).toEqual([])
    await of(own, (link) => decideOn(link, card.approval, 'approve'))
    const { task } = await ended(own, card.task)
    expect([task.state, task.trouble]).toEqual(['completed', null])
    await own.link((link) => decideOn(link, card.approval, 'approve'))
    await ask(own, 'hello')
    expect(posts().map(({ body }) => withoutName(body))).toEqual([withoutName(card.request.body)])
    expect(posts()[0]?.authorization).toBe(`Bearer ${manifest.google.token}`)
  })

  // A development key lets nobody be asked for a credential.
  if (kind === 'passphrase')
    test('the question for a credential that waited takes its answer', async () => {
      const waiting = async (): Promise<readonly string[]> =>
        (await of(own, (link) => link.call(listApprovals, {}))).flatMap(({ kind: what, tool }) =>
          what === 'credential' ? [tool] : [],
        )
      expect(await waiting()).toEqual(['connect.telegram'])
      await own.link((link) => link.send({ id: crypto.randomUUID(), text: PRIVATE_TOKEN }))
      await until(async () => !(await waiting()).includes('connect.telegram'), SOON)
      const code = await until(async () => {
        const rows = await of(own, (link) => link.deliveries(0, 0))
        return rows.map(({ text }) => /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(text)?.[0]).findLast(Boolean)
      }, SOON)
      state.mine.write(OWNER_ID, code)
      await until(async () => 'telegram' in (await of(own, (link) => link.status())), SOON)
    })

  test('whom the owner trusts is there, and has what was granted: two grants, a person, a linked account', async () => {
    const grants = await of(own, (link) => link.call(listGrants, {}))
    expect(grants.filter(({ state: how }) => how === 'live')).toHaveLength(2)
    const [person] = await of(own, (link) => link.call(listPeople, {}))
    expect(person).toMatchObject({ name: 'Ann', state: 'live' })
    const [link] = await of(own, (at) => at.call(listIdentities, {}))
    expect(link).toMatchObject({ state: 'live' })
    expect(link?.ends.map(({ principal }) => principal).sort()).toEqual([
      'principal:owner',
      `principal:telegram:peer:${telegram.second}`,
    ])
    await writes(telegram.friend, 'is there a free slot tomorrow?', /the person I work for is free/)
  })

  test('both kinds of memory are found at both places, and the notes of a long conversation are read', async () => {
    for (const [line, fact] of [
      [own, texts.factHome],
      [open, texts.factEdge],
    ] as const) {
      const memory = await of(line, (link) => link.call(listMemory, {}))
      expect(memory.filter(({ kind: what }) => what === 'fact').map(({ text }) => text)).toContain(fact)
      // More than are kept at hand: the archive has the rest.
      expect(memory.filter(({ kind: what }) => what === 'result').length).toBeGreaterThan(10)
    }
    expect(await ask(own, 'what do you know about the spare key?')).toContain('Mrs Novak')
    expect(await ask(open, 'what do you know about my locker?')).toContain('number 217')
    expect(JSON.stringify(state.world.model.chats)).toContain(NOTES)
  })

  test('the versions of a brain file can be read, and one of them restored', async () => {
    const versions = await of(own, (link) => link.call(directiveHistory, { name: 'SOUL' }))
    expect(versions.map(({ version }) => version).toSorted()).toEqual([1, 2, 3])
    const [second, third] = await Promise.all(
      [2, 3].map((version) => of(own, (link) => link.call(showDirective, { name: 'SOUL', version }))),
    )
    expect(third?.text).toContain('Never use exclamation marks.')
    const back = { name: 'SOUL', version: 2 }
    const { approval } = await of(own, (link) => link.call(restoreDirective, back))
    if (approval !== null) await of(own, (link) => decideOn(link, approval, 'approve'))
    const now = await of(own, (link) => link.call(showDirective, { name: 'SOUL' }))
    expect([now.version, now.text]).toEqual([4, second?.text])
  })

  test('a command of the owner’s that bears the name of a later one of the program’s stands in the configuration', () => {
    const written = readFileSync(join(state.folder, 'config.toml'), 'utf8')
    expect(written).toContain('name = "pause"')
  })

  test('said, that name is the program’s: it pauses, the owner was told once, and doctor says it', async () => {
    expect(await ask(own, '/pause')).toMatch(/^I pause\. /)
    expect((await of(own, (link) => link.status()))['paused']).toMatch(/^since /)
    const later = await own.say('hello')
    const notices = (await of(own, (link) => link.deliveries(0, 0))).filter(({ text }) =>
      text.includes('Your own command /pause'),
    )
    expect(notices).toMatchObject([{ kind: 'notice', task: null, text: expect.stringContaining(TAKEN) }])
    const { out } = await state.bench.pfar('doctor', '--json')
    const found = JSON.parse(out) as readonly Finding[]
    expect(found.filter(({ part }) => part === 'commands')).toMatchObject([
      { state: 'bad', says: expect.stringContaining(TAKEN) },
    ])
    // What was said meanwhile waits, and is answered afterwards.
    expect((await of(own, (link) => link.report(later))).task.state).not.toBe('completed')
    expect(await ask(own, '/resume')).toMatch(/^I go on\. /)
    expect((await ended(own, later)).task.trouble).toBeNull()
    expect((await of(own, (link) => link.status()))['paused']).toBeUndefined()
    expect(JSON.stringify(state.world.model.chats)).not.toContain('in five minutes')
  })

  test('its backup opens on an empty machine', async () => {
    const fresh = join(newFolder('frozen'), 'state')
    const from = ['restore', '--from', join(state.folder, 'backups')]
    const restored = await pfar(from, { state: fresh, lines: [manifest.backupPassphrase] })
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(existsSync(join(fresh, 'dev.key'))).toBe(false)
    useModel(fresh, manifest, state.world)
    if (manifest.words === undefined) {
      const key = readFileSync(join(state.folder, 'dev.key'))
      writeFileSync(join(fresh, 'dev.key'), key, { mode: 0o600 })
      await state.startHome(fresh)
    } else {
      const recover = onTerminal('scripts/pfar.mjs key recover --custody passphrase', { PFAR_HOME: fresh }, [
        [/not shown\): $/, manifest.words],
        [/(?:characters or more|The same again): $/, OTHER],
      ])
      const code = await recover.ended
      expect(code, recover.shown()).toBe(0)
      await state.startHome(fresh, OTHER)
    }
    const there = lineOf(fresh, 'private')
    expect(await ask(there, 'what do you know about the spare key?')).toContain('Mrs Novak')
    expect(await of(there, (link) => link.call(directiveHistory, { name: 'SOUL' }))).toHaveLength(3)
  })
})

describe('the copies that home had left at its edge', () => {
  const manifest = manifestOf('passphrase')
  let state: OpenedState
  beforeAll(async () => {
    // Without its home, which would send a copy of today's beside them.
    state = await openState('passphrase', manifest, 'edge')
  })
  afterAll(() => state?.close())

  test('a new home is made of them with the 24 words, knows what the lost one knew, and copies on', async () => {
    const fresh = join(newFolder('frozen'), 'state')
    const command = `scripts/pfar.mjs recover --from-edge ${state.edge} --custody passphrase`
    const recover = onTerminal(command, { ...state.env, PFAR_HOME: fresh }, [
      [/not shown\): $/, manifest.words ?? ''],
      [/Type yes: $/, 'yes'],
      [/(?:characters or more|The same again): $/, OTHER],
    ])
    expect(await recover.ended, recover.shown()).toBe(0)
    const made = JSON.parse(readFileSync(join(state.folder, 'copies.json'), 'utf8')) as { at: number }
    const date = new Date(made.at).toISOString()
    expect(recover.shown()).toMatch(new RegExp(`The edge has copy 1 of ${date}[\\s\\S]*was shut out`))

    useModel(fresh, manifest, state.world)
    await state.startHome(fresh, OTHER, true)
    const own = lineOf(fresh, 'private')
    const of = async <T>(use: (link: Link) => Promise<Result<T>>): Promise<T> => {
      const found = await own.link(use)
      if (!found.ok) throw new Error(JSON.stringify(found.reason))
      return found.value
    }
    const facts = (await of((link) => link.call(listMemory, {}))).filter(({ kind }) => kind === 'fact')
    expect(facts.map(({ text }) => text)).toContain(manifest.texts.factHome)
    expect(await of((link) => link.call(directiveHistory, { name: 'SOUL' }))).toHaveLength(3)
    expect(
      (await of((link) => link.call(listGrants, {}))).filter(({ state: how }) => how === 'live'),
    ).toHaveLength(2)
    const secrets = (await of((link) => link.status()))['secrets']
    expect(secrets).toEqual([expect.stringContaining('google')])
    await until(async () => (await of((link) => link.status()))['tunnel'] === 'up', SOON)
    const again = { ...process.env, ...state.env, PFAR_HOME: fresh, NO_COLOR: '1' }
    expect(await run(['scripts/pfar.mjs', 'copies', 'now'], again)).toMatchObject({
      ...{ code: 0, err: '', out: 'The edge has a copy of your home box: number 2.\n' },
    })
  })
})
