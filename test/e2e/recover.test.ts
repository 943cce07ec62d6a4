/**
 * The lost home box (DESIGN §6): a home paired with an edge copies itself there, is destroyed, and another
 * box takes its place with nothing but the edge's address and the 24 words. The edge has not seen a word of
 * it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { type Client, connectClient, stateFolder } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import { filesIn, holding } from '../regression/files.ts'
import { type OnTerminal, onTerminal } from './keys-bench.ts'
import { rowsOf } from './restore-bench.ts'
import { createBench, run } from './terminal-bench.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const READY = 60_000
const LONG = 480_000
const PASSPHRASE = 'four words nobody says'
const OTHER = 'four other words again'
const newly = (passphrase: string) => [/(?:characters or more|The same again): $/, passphrase] as const
const START = 'scripts/start.js --only home --no-chat --no-demo'
const CANARIES = ['Novak', 'spare key', PASSPHRASE, 'Ada of the canaries']

const bench = createBench()
const running: OnTerminal[] = []
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await bench.remove()
})

interface Home {
  readonly client: Client
  stop(): Promise<void>
}

async function startHome(path: string, passphrase: string): Promise<Home> {
  const start = onTerminal(START, { PFAR_HOME: path }, [[/Passphrase of the master key: $/, passphrase]])
  running.push(start)
  await until(() => /state {2}/.test(start.shown()) || start.child.exitCode !== null, READY)
  expect(start.shown()).toMatch(/state {2}/)
  const client = await connectClient(join(path, 'home.sock'))
  return {
    client,
    async stop() {
      client.socket.destroy()
      start.child.stdin?.write('\u0003')
      await start.ended
    },
  }
}

async function say({ client }: Home, text: string): Promise<string> {
  const { result } = await client.ask('send', { id: text.replaceAll(/\W/g, '-'), text })
  const { task } = result as { task: string }
  return until(async () => {
    const report = (await client.ask('task', { id: task }))['result'] as {
      reply: string | null
      task: { state: string }
    }
    return report.task.state === 'completed' ? report.reply : null
  }, READY) as Promise<string>
}

const statusOf = async ({ client }: Home) => (await client.ask('status'))['result'] as Record<string, unknown>

const pfar = (path: string, ...args: string[]) =>
  run(['scripts/pfar.mjs', ...args], { ...process.env, PFAR_HOME: path, NO_COLOR: '1' })

function shutOut(shown: string): string {
  const id = /; ([0-9a-f]{32}) was shut out/.exec(shown)?.[1]
  if (id === undefined) throw new Error(shown)
  return id
}

/** Words on stdin, and a session of its own, which has no terminal. */
async function piped(path: string, words: string, ...args: string[]) {
  const { PATH = '' } = process.env
  const env = { PATH, PFAR_HOME: path }
  const child = spawn(process.execPath, ['scripts/pfar.mjs', 'recover', ...args], {
    cwd: ROOT,
    env,
    detached: true,
  })
  child.stdin.end(words)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out, err }
}

test('a home is lost, and another takes its place with the words alone', { timeout: LONG }, async () => {
  await bench.start('--only', 'edge')
  const edgeFolder = join(bench.folder, 'edge')
  const { url } = JSON.parse(readFileSync(join(edgeFolder, 'edge.json'), 'utf8')) as { url: string }
  const first = stateFolder('[owner]\nname = "Ada of the canaries"\n')
  const code = /: (\S+)\s*$/.exec((await bench.pfar('devices', 'add')).out)?.[1] ?? ''
  expect(await pfar(first, 'pair', url, code)).toMatchObject({ code: 0, err: '' })
  appendFileSync(join(first, 'config.toml'), `[edge]\nurl = "${url}"\n`)
  const init = onTerminal('scripts/pfar.mjs key init --custody passphrase', { PFAR_HOME: first }, [
    newly(PASSPHRASE),
  ])
  running.push(init)
  expect(await init.ended).toBe(0)
  const words = init.words()

  const home = await startHome(first, PASSPHRASE)
  await say(home, 'remember that the spare key is with Mrs Novak')
  const known = await say(home, 'what do you know about the spare key?')
  expect(known).toContain('Mrs Novak')
  expect(await pfar(first, 'copies', 'now')).toEqual({
    code: 0,
    err: '',
    out: 'The edge has a copy of your home box: number 1.\n',
  })
  expect(await statusOf(home)).toMatchObject({ copiesTrouble: null, copies: expect.stringMatching(/^20/) })
  await home.stop()
  const before = rowsOf(join(first, 'secrets.sqlite'))
  expect(holding(edgeFolder, filesIn(edgeFolder), [...CANARIES, words])).toEqual([])
  // Whoever found the old box goes on with its key; its owner does not have it any more.
  const stolen = newFolder('stolen')
  for (const file of ['device.key', 'edges.json', 'config.toml'])
    cpSync(join(first, file), join(stolen, file))
  rmSync(first, { recursive: true })

  const next = join(newFolder('next'), 'state')
  const to = ['--from-edge', url, '--custody', 'passphrase']
  const others = await piped(next, `${'zoo '.repeat(23)}vote`, ...to, '--yes')
  expect(others).toMatchObject({ code: 1, err: expect.stringContaining('these words do not open this edge') })
  const unasked = await piped(next, words, ...to)
  expect(unasked).toMatchObject({ code: 1, err: expect.stringContaining('nothing was changed') })
  const trial = await piped(next, words, ...to, '--yes', '--dry-run')
  expect(trial).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/copy 1 of 20.*\n[\s\S]*nothing was changed/),
  })
  expect(existsSync(next)).toBe(false)
  expect(await pfar(stolen, 'devices')).toMatchObject({ code: 0 })

  const recover = onTerminal(`scripts/pfar.mjs recover ${to.join(' ')}`, { PFAR_HOME: next }, [
    [/not shown\): $/, words],
    [/Type yes: $/, 'yes'],
    newly(OTHER),
  ])
  running.push(recover)
  expect(await recover.ended, recover.shown()).toBe(0)
  expect(recover.shown()).toMatch(/copy 1 of 20.*was shut out/s)
  expect(recover.shown()).not.toContain(words)
  expect(rowsOf(join(next, 'secrets.sqlite'))).toEqual(before)

  const again = await startHome(next, OTHER)
  expect(await say(again, 'what do you know about the spare key?')).toBe(known)
  await until(async () => (await statusOf(again))['tunnel'] === 'up', READY)
  const listed = (await pfar(next, 'devices')).out
  expect(listed).toContain('(this one)')
  expect(listed).not.toContain(shutOut(recover.shown()))
  expect((await pfar(stolen, 'devices')).err).toMatch(/revoked|does not know this device/)
  expect(await pfar(next, 'copies', 'now')).toMatchObject({
    code: 0,
    out: 'The edge has a copy of your home box: number 2.\n',
  })
  await again.stop()
  // A state folder that holds something is not written over.
  expect((await piped(next, words, ...to, '--yes')).err).toContain('the state folder is not empty')
})
