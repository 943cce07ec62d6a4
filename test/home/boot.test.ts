/** The four phases of a start: their order, parts that fail, hang or throw beside others, and parts that finish late (M-23 – M-25). */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EMAIL_MANIFEST } from '../../integrations/tools/email/manifest.ts'
import { WEB_MANIFEST } from '../../integrations/tools/web/manifest.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { createSelfKeeper, LEAST_BETWEEN } from '../../kernel/self/keeper.ts'
import type { Integration } from '../../kernel/self/section.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { type BootLine, createBoot, jobPart, PART_WITHIN } from '../../sidecar/home/boot.ts'
import { accountParts, accountWorks } from '../../sidecar/secrets/accounts.ts'
import type { SecretInfo } from '../../sidecar/secrets/secret.ts'
import { ownAccountTitles } from '../../sidecar/secrets/vault-names.ts'
import { TEST_SOURCES } from '../fakes/self.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

function setUp() {
  const lines: BootLine[] = []
  const faults: string[] = []
  const late: { came: () => void } = { came: () => undefined }
  const boot = createBoot({
    clock: () => Date.now(),
    fault: (part) => faults.push(part),
    cameLate: () => late.came(),
  })
  return { boot, lines, faults, late, open: () => boot.write((line) => lines.push(line)) }
}

const said = (lines: readonly BootLine[]) =>
  lines.map(({ phase, part, state, code }) => `${phase} ${part} ${state} ${code ?? '-'}`)
const ready = { name: 'ready', run: () => ok(true) }

describe('the log', () => {
  test('is in order, including the lines from before it could be written', async () => {
    const { boot, lines, open } = setUp()
    await boot.need('A', 'folder', () => ok(1))
    await boot.need('A', 'database', () => ok(2))
    expect(lines).toEqual([])
    open()
    await boot.parts('B', [ready])
    await boot.need('D', 'private line', () => ok(3))
    expect(said(lines)).toEqual([
      'A folder ready -',
      'A database ready -',
      'B ready ready -',
      'D private line ready -',
    ])
  })

  test('contains the reason of a required part, which is also returned', async () => {
    const { boot, lines, faults, open } = setUp()
    open()
    expect(await boot.need('A', 'keys', () => err('key_wrong'))).toEqual(err('key_wrong'))
    expect(said(lines)).toEqual(['A keys failed key_wrong'])
    // The sentence why home cannot start reports it.
    expect(faults).toEqual([])
  })
})

describe('a part of phase B', () => {
  const bad = [
    ['refuses', () => err('storage_failed'), 'failed storage_failed'],
    ['rejects', () => Promise.reject(new Error('words of a stranger')), 'failed internal_fault'],
    [
      'throws',
      () => {
        throw new Error('words of a stranger')
      },
      'failed internal_fault',
    ],
  ] as const

  test.each(bad)('that %s does not stop the others (M-24)', async (_, run, state) => {
    const { boot, lines, faults, open } = setUp()
    open()
    const found = await boot.parts('B', [ready, { name: 'broken', run }, { ...ready, name: 'third' }])
    expect(found.map((line) => line.state)).toEqual(['ready', 'failed', 'ready'])
    expect(said(lines)).toContain(`B broken ${state}`)
    expect(faults).toEqual([`start of broken (${state.split(' ')[1]})`])
  })

  test('that hangs is late after its time limit, and does not delay the others', async () => {
    const { boot, faults, open } = setUp()
    open()
    const running = boot.parts('B', [
      ready,
      { name: 'hangs', run: () => new Promise<never>(() => undefined) },
      { name: 'patient', run: () => new Promise<never>(() => undefined), within: 10 },
    ])
    let found: readonly BootLine[] | null = null
    void running.then((lines) => {
      found = lines
    })
    await vi.advanceTimersByTimeAsync(PART_WITHIN - 1)
    expect(found).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(said(await running)).toEqual(['B ready ready -', 'B hangs late -', 'B patient late -'])
    expect(faults).toEqual(['start of patient', 'start of hangs'])
  })

  test('that starts a job returns it, and one that could not start has nothing to stop', async () => {
    const { boot } = setUp()
    const stopped: string[] = []
    const good = jobPart('good', () => ({ stop: async () => void stopped.push('good') }))
    const broken = jobPart('broken', (): { stop(): Promise<void> } => {
      throw new Error('no timer')
    })
    await boot.parts('B', [good, broken])
    expect([good.job() === null, broken.job() === null]).toEqual([false, true])
    await Promise.all([good.stop(), broken.stop()])
    expect(stopped).toEqual(['good'])
  })
})

test('a late part triggers an update of the assistant’s description when it is ready (M-25)', async () => {
  const { boot, lines, late, open } = setUp()
  open()
  const services: Integration[] = [{ name: 'mail', tools: 2, categories: ['email'], state: 'active' }]
  const sources = { ...TEST_SOURCES, integrations: () => services }
  const keeper = createSelfKeeper({ sources, now: Date.now, fault: () => undefined })
  late.came = () => keeper.touch('startup')
  const slow = Promise.withResolvers<void>()
  const running = boot.parts('B', [
    {
      name: 'wiki',
      run: async () => {
        await slow.promise
        services.push({ name: 'wiki', tools: 3, categories: ['pages'], state: 'active' })
        return ok(true)
      },
    },
  ])
  await vi.advanceTimersByTimeAsync(PART_WITHIN)
  await running
  const names = () =>
    keeper
      .current()
      .sections.flatMap((one) => (one.kind === 'integrations' ? one.items : []))
      .map(({ name }) => name)
  expect(names()).toEqual(['mail'])
  slow.resolve()
  await vi.advanceTimersByTimeAsync(LEAST_BETWEEN)
  expect(names()).toEqual(['mail', 'wiki'])
  expect(said(lines)).toEqual(['B wiki late -', 'B wiki ready -'])
})

describe('the accounts', () => {
  const parsed = parseConfig(`[tools.google]
account = "work"
credential = "vault:work"
accounts = [{ name = "home", credential = "vault:home" }, { name = "club", credential = "vault:club" }]`)
  if (!parsed.ok) throw new Error('config')
  const config = parsed.value
  const manifests = [EMAIL_MANIFEST, WEB_MANIFEST]
  const good: SecretInfo = {
    ...{ name: '', version: 1, kind: 'oauth', createdAt: 0, storedAt: 0, lastUsedAt: null },
    scope: { tools: ['email'], actions: [], hosts: ['example.com'] },
    ...{ state: 'proven', former: false, endsAt: null },
  }
  const find = (kept: Readonly<Record<string, Partial<SecretInfo>>>) => ({
    find: (name: string) => (kept[name] === undefined ? null : { ...good, name, ...kept[name] }),
  })
  const checked = async (kept: Readonly<Record<string, Partial<SecretInfo>>>) => {
    const { boot, lines, open } = setUp()
    open()
    await boot.parts('B', accountParts({ config, manifests, secrets: find(kept) }))
    return said(lines).sort()
  }

  test.each([
    ['has none', undefined, 'failed credential_missing'],
    [
      'has one for another tool',
      { scope: { ...good.scope, tools: ['calendar'] } },
      'failed credential_mismatch',
    ],
    ['has a password', { kind: 'password' }, 'failed credential_mismatch'],
    ['was refused', { state: 'rejected' }, 'failed credential_rejected'],
    ['was refused, with the one before it', { state: 'rejected', former: true }, 'ready -'],
    ['works', {}, 'ready -'],
  ] as const)('are checked separately: one of three that %s', async (_, club, state) =>
    expect(await checked({ work: {}, home: {}, ...(club && { club }) })).toEqual([
      `B account club ${state}`,
      'B account home ready -',
      'B account work ready -',
    ]),
  )

  test('without a configuration none is missing', () => {
    const none = parseConfig('')
    if (!none.ok) throw new Error('config')
    expect(accountParts({ config: none.value, manifests, secrets: find({}) })).toEqual([])
  })

  test.each([
    ['refused', { state: 'rejected' }, false],
    ['refused, with the one before it', { state: 'rejected', former: true }, true],
    ['on trial', { state: 'trial' }, true],
  ] as const)('the service of an account that was %s', (_, work, works) =>
    expect(accountWorks({ config, secrets: find({ work }) }, 'google')).toBe(works),
  )

  const own = parseConfig(`[[tools.calendar.accounts]]
name = "nas"
kind = "caldav"
server = "https://nas.example.org"
user = "me"
home = "/me/"`)
  if (!own.ok) throw new Error(JSON.stringify(own.reason))

  test.each([
    ['a service that was never set up', own.value, {}, 'google', null, null],
    ['a service that the configuration names', config, {}, 'google', null, false],
    ['an own account whose password is stored', own.value, { 'calendar-nas': {} }, 'calendar', 'nas', true],
    [
      'an own account that was refused',
      own.value,
      { 'calendar-nas': { state: 'rejected' } },
      'calendar',
      'nas',
      false,
    ],
    ['an own account whose password is gone', own.value, {}, 'calendar', 'nas', false],
  ] as const)('%s is no trouble unless it was set up', (_, config, kept, credential, account, works) =>
    expect(accountWorks({ config, secrets: find(kept) }, credential, account)).toBe(works),
  )

  test('own accounts are called by what they are, each once, and only while they work', () => {
    const works = (credential: string, account: string) =>
      accountWorks({ config: own.value, secrets: find({ 'calendar-nas': {} }) }, credential, account)
    expect(ownAccountTitles(own.value, works)).toEqual(['CalDAV calendar'])
    expect(ownAccountTitles(own.value, () => false)).toEqual([])
  })
})
