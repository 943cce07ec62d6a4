/**
 * The whole disaster (E-13, E-16): home and edge are filled, backed up and destroyed; a fresh home and a fresh edge, which
 * has new keys and new names for everything, come back from the backup's passphrase and the 24 words alone.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createOpenLink } from '../../sidecar/cli/line/open-link.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { loadDeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { PASSPHRASE } from '../home/fixtures/backup.ts'
import { connectClient } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import { filesIn, holding } from '../regression/files.ts'
import { type OnTerminal, onTerminal } from './keys-bench.ts'
import { pfar, rowsOf } from './restore-bench.ts'
import { createBench, waitFor } from './terminal-bench.ts'

const READY = 60_000
const LONG = 480_000
const MASTER = 'four words nobody says'
const OTHER = 'four other words again'
const newly = (passphrase: string) => [/(?:characters or more|The same again): $/, passphrase] as const
const START = 'scripts/start.js --no-chat --no-demo --port 0'

const bench = createBench()
const state = bench.folder
const running: OnTerminal[] = []
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await bench.remove()
})

async function atTerminal(
  command: string,
  answers: readonly (readonly [RegExp, string])[],
): Promise<OnTerminal> {
  const terminal = onTerminal(`scripts/pfar.mjs ${command}`, { PFAR_HOME: state }, answers)
  running.push(terminal)
  expect(await terminal.ended, terminal.shown()).toBe(0)
  return terminal
}

/** Both places, connected; resolves with the way to stop them. */
async function startBoth(passphrase: string): Promise<() => Promise<void>> {
  const start = onTerminal(START, { PFAR_HOME: state }, [[/Passphrase of the master key: $/, passphrase]])
  running.push(start)
  await until(() => /state {2}/.test(start.shown()) || start.child.exitCode !== null, READY)
  const client = await connectClient(join(state, 'home.sock'))
  const isUp = async () =>
    ((await client.ask('status'))['result'] as { readonly tunnel: string }).tunnel === 'up'
  await until(isUp, READY)
  client.socket.destroy()
  return async () => {
    start.child.stdin?.write('\u0003')
    await start.ended
  }
}

const edgeUrl = (): string =>
  (JSON.parse(readFileSync(join(state, 'edge', 'edge.json'), 'utf8')) as { readonly url: string }).url

interface Reported {
  readonly reply: string | null
  readonly task: { readonly id: string; readonly state: string; readonly approval: string | null }
}

async function ask(words: string, ...args: string[]): Promise<Reported> {
  const ran = await pfar(['ask', words, '--json', ...args], { state })
  expect(ran.err).toBe('')
  return JSON.parse(ran.out) as Reported
}

const openApprovals = async () =>
  JSON.parse((await pfar(['approvals', '--line', 'open', '--json'], { state })).out) as readonly unknown[]

/** What the edge says of a task. */
async function reportOf(task: string) {
  const folder = openStateFolder(state)
  const device = folder.ok ? loadDeviceKey(folder.value) : folder
  if (!device.ok) throw new Error(device.reason.code)
  const link = createOpenLink({ edge: edgeUrl(), device: device.value })
  const found = await link.report(task)
  link.close()
  if (!found.ok) throw new Error(found.reason.code)
  return found.value
}

test('home and edge are lost, and both come back from passphrase and phrase', { timeout: LONG }, async () => {
  const disk = newFolder('disk')
  writeFileSync(join(state, 'config.toml'), `[owner]\nname = "Ada"\n[backup]\nfolder = "${disk}"\n`)
  const words = (await atTerminal('key init --custody passphrase', [newly(MASTER)])).words()

  const stop = await startBoth(MASTER)
  await ask('remember that the spare key is with Mrs Novak')
  await ask('remember that my locker has number 217', '--line', 'open')
  const locker = await ask('what do you know about my locker?', '--line', 'open')
  expect(locker.reply).toContain('217')
  await stop()
  await bench.start('--only', 'edge')
  // A question that waits for its answer, and a task that waits for home.
  const waiting = await ask(
    'when am I free on Friday? And what do you know about the locker?',
    '--line',
    'open',
  )
  expect(waiting.reply).toMatch(/home box does not answer/)
  const asked = await openApprovals()
  expect(asked).toHaveLength(1)

  expect((await pfar(['backup', 'init'], { state, lines: [PASSPHRASE, PASSPHRASE] })).code).toBe(0)
  const made = await pfar(['backup', 'now'], { state })
  expect(made).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/edge-registry\.sqlite, edge-[0-9a-f]{64}\.sqlite/),
  })
  expect(holding(disk, filesIn(disk), ['locker', 'Novak', words])).toEqual([])
  const rows = rowsOf(join(state, 'home.sqlite'))
  const reports = [await reportOf(locker.task.id), await reportOf(waiting.task.id)]
  const keys = readFileSync(join(state, 'edge', 'edge.json'), 'utf8')

  await bench.stop()
  rmSync(state, { recursive: true })

  const restored = await pfar(['restore', '--from', disk], { state, lines: [PASSPHRASE] })
  expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining('pfar restore --edge') })
  expect(rowsOf(join(state, 'home.sqlite'))).toEqual(rows)
  expect(readdirSync(state).filter((name) => name.startsWith('edge-'))).toEqual([])
  await atTerminal('key recover --custody passphrase', [[/not shown\): $/, words], newly(OTHER)])
  const stopAgain = await startBoth(OTHER)
  // Not one of the edge's own keys is what it was.
  const fresh = JSON.parse(readFileSync(join(state, 'edge', 'edge.json'), 'utf8')).keys
  for (const key of Object.values<string>(fresh)) expect(keys).not.toContain(key)

  const wrong = await pfar(['restore', '--edge'], { state, lines: ['not the passphrase', 'yes'] })
  expect(wrong).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The passphrase does not open this backup\./),
  })
  const unasked = await pfar(['restore', '--edge'], { state, lines: [PASSPHRASE, 'no'] })
  expect(unasked).toMatchObject({ code: 1, out: '', err: expect.stringContaining('nothing was changed') })
  const trial = await pfar(['restore', '--edge', '--dry-run'], { state, lines: [PASSPHRASE] })
  expect(trial).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Nothing was changed') })
  expect(await openApprovals()).toEqual([])
  const back = await pfar(['restore', '--edge'], { state, lines: [PASSPHRASE, 'yes'] })
  expect(back).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/Restored at .*edge-registry/) })
  expect(existsSync(join(state, 'edge-restore'))).toBe(false)

  // What was said, what was answered, what waits.
  expect(await reportOf(locker.task.id)).toEqual(reports[0])
  expect(await openApprovals()).toEqual(asked)
  const known = await ask('what do you know about my locker?', '--line', 'open')
  expect(known.reply).toBe(locker.reply)
  expect((await ask('what do you know about the spare key?')).reply).toContain('Mrs Novak')
  // The question that waited is answered with a yes, and ends as it would have.
  const approved = await pfar(['approve', waiting.task.approval ?? '', '--line', 'open'], { state })
  expect(approved.code, approved.err).toBe(0)
  await waitFor(async () => {
    const found = await reportOf(waiting.task.id)
    return ['cancelled', 'completed'].includes(found.task.state)
  }, READY)

  // A second time changes nothing; and an older backup finds an edge that is not empty.
  const twice = await pfar(['restore', '--edge', '--yes'], { state, lines: [PASSPHRASE] })
  expect(twice).toMatchObject({ code: 0, err: '' })
  expect(await pfar(['backup', 'now'], { state })).toMatchObject({ code: 0, err: '' })
  const other = await pfar(['restore', '--edge', '--yes'], { state, lines: [PASSPHRASE] })
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('edge_not_empty') })
  await stopAgain()
})
