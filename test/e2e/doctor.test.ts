/** `pfar doctor` and `pfar usage` as a user runs them: without an Ollama, with one, and what the look itself cost. */
import { spawnSync } from 'node:child_process'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { probeSandbox } from '../../sidecar/confined/sandbox.ts'
import type { Finding } from '../../sidecar/doctor/finding.ts'
import { sandboxFinding } from '../../sidecar/doctor/surroundings-look.ts'
import { type FakeOllama, startOllama } from '../fakes/ollama.ts'
import { serviceKey } from './restore-bench.ts'
import { type Bench, createBench } from './terminal-bench.ts'

const GIGABYTE = 1_073_741_824
/** Nothing listens there: reserved, and no server's. */
const NOWHERE = 'http://127.0.0.1:1'

const masterKey = serviceKey()
let pfar: Bench
let ollama: FakeOllama
let broken = false
beforeAll(async () => {
  pfar = createBench()
  ollama = await startOllama(
    [
      { name: 'tiny:1b', bytes: GIGABYTE / 2, window: 8_192 },
      { name: 'embed', bytes: GIGABYTE / 4, window: 512 },
    ],
    () => (broken ? null : 'PFAR'),
  )
  await pfar.start('--only', 'home')
})
afterAll(async () => {
  await pfar.stop()
  await pfar.remove()
  await ollama.close()
})

async function doctor(
  url: string,
): Promise<{ readonly code: number | null; readonly found: readonly Finding[] }> {
  const { code, out } = await pfar.pfar('doctor', '--json', '--ollama', url)
  return { code, found: JSON.parse(out) as readonly Finding[] }
}
const saidOf = (found: readonly Finding[], part: string): readonly (readonly [string, string])[] =>
  found.filter((one) => one.part === part).map(({ state, says }) => [state, says] as const)

describe('pfar doctor', () => {
  test('on a machine without Ollama says so, what works anyway, and what would help', async () => {
    const { code, found } = await doctor(NOWHERE)
    expect(code).toBe(0)
    expect(found.map(({ part, state }) => [part, state])).toEqual([
      ['node', 'ok'],
      ['state folder', 'ok'],
      ['master key', 'note'],
      // Root alone is warned.
      ...(process.getuid?.() === 0 ? [['account', 'note']] : []),
      ['home', 'ok'],
      ['tunnel', 'note'],
      ['models', 'note'],
      ['ollama', 'note'],
      ['sandbox', expect.stringMatching(/^(?:ok|note)$/)],
      ['edge', 'note'],
      ['backups', 'note'],
      ['containers', expect.stringMatching(/^(?:ok|note)$/)],
    ])
    expect(saidOf(found, 'models')[0]?.[1]).toContain('`rules` plans and answers')
    expect(saidOf(found, 'ollama')[0]?.[1]).toMatch(/No Ollama answers at .*ollama pull qwen3:/)
  })

  test('a running home says itself whether it has a sandbox, and the doctor says the same', async () => {
    const { home } = JSON.parse((await pfar.pfar('status', '--json')).out)
    expect(home).toMatchObject({ sandbox: await probeSandbox() })
    expect(home).not.toHaveProperty('startedBy')
    const facts = { state: home.sandbox, without: false, service: false }
    const { state, says } = sandboxFinding(facts)
    expect(saidOf((await doctor(NOWHERE)).found, 'sandbox')).toEqual([[state, says]])
  })

  test('with one lists its models and windows, asks the one it recommends, once, through the boundary', async () => {
    const { code, found } = await doctor(ollama.url)
    expect(code).toBe(0)
    expect(saidOf(found, 'ollama')).toMatchObject([
      ['ok', `It runs at ${ollama.url}, with 2 models.`],
      ['note', expect.stringContaining('Home does not ask it yet')],
    ])
    expect(saidOf(found, 'ollama embed')).toEqual([['ok', '0.3 GB, a window of 512 tokens.']])
    expect(saidOf(found, 'ollama tiny:1b')).toMatchObject([
      ['ok', '0.5 GB, a window of 8192 tokens.'],
      ['ok', expect.stringMatching(/^It said its name in \d+\.\d s/)],
    ])
    expect(saidOf(found, 'recommended')).toEqual([['note', 'For plans and for answers: tiny:1b.']])
    expect(ollama.chats.map(({ model }) => model)).toEqual(['tiny:1b'])
    expect(ollama.chats[0]?.messages[0]?.content).toMatch(/^\[pfar:identity-v1\]\n/)
  })

  test('its own call is counted, as the provider counted it', async () => {
    const { out } = await pfar.pfar('usage', '--json', '--days', '1')
    const { home, edge } = JSON.parse(out)
    expect(edge).toBeNull()
    expect(home.by.model).toMatchObject([{ name: 'ollama:tiny:1b', calls: 1, input: 321, output: 4 }])
    expect(home.by.purpose).toMatchObject([{ name: 'whoami', calls: 1 }])
    const text = await pfar.pfar('usage')
    expect(text.out).toMatch(/^ollama:tiny:1b +1 +321 +0 +4 +0\.00 USD$/m)
    expect((await pfar.ask('/usage')).report.reply).toMatch(/^Home, since .*ollama:tiny:1b +1 +321/s)
  })

  test('a model that fails is bad, and no word of it is shown', async () => {
    broken = true
    const { code, found } = await doctor(ollama.url)
    broken = false
    expect(code).toBe(1)
    expect(saidOf(found, 'ollama tiny:1b')[1]?.[0]).toBe('bad')
    expect(JSON.stringify(found)).not.toContain('canary')
  })

  test.each([['http://example.com'], ['http://127.0.0.1:1/x'], ['ollama']])(
    'asks nobody outside of this machine: %s',
    async (url) => {
      const { code, found } = await doctor(url)
      expect([code, saidOf(found, 'home')[0]?.[0]]).toEqual([1, 'bad'])
    },
  )

  test('a state folder that others may open is bad, with the command that closes it', async () => {
    chmodSync(pfar.folder, 0o755)
    const { code, found } = await doctor(NOWHERE)
    chmodSync(pfar.folder, 0o700)
    expect(code).toBe(1)
    expect(saidOf(found, 'state folder')).toEqual([
      ['bad', `Others may open ${pfar.folder}: chmod 700 ${pfar.folder}`],
    ])
  })

  test('--fix closes what others could read, says it, and looks again', async () => {
    writeFileSync(join(pfar.folder, 'stray.key'), 'x')
    chmodSync(join(pfar.folder, 'stray.key'), 0o644)
    chmodSync(pfar.folder, 0o750)
    const { code, out } = await pfar.pfar('doctor', '--json', '--fix', '--ollama', NOWHERE)
    const found = JSON.parse(out) as readonly Finding[]
    expect(code).toBe(0)
    expect(saidOf(found, 'fixed')).toEqual([['ok', expect.stringContaining('stray.key to others')]])
    expect(saidOf(found, 'state folder')).toMatchObject([['ok', expect.any(String)]])
    expect([pfar.folder, join(pfar.folder, 'stray.key')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o600,
    ])
    const again = await pfar.pfar('doctor', '--json', '--fix', '--ollama', NOWHERE)
    expect(saidOf(JSON.parse(again.out), 'fixed')).toEqual([])
  })

  test('--fix makes a backup that is due, and the next look finds it', async () => {
    masterKey.adopt(pfar.folder)
    const key = spawnSync(process.execPath, ['scripts/pfar.mjs', 'backup', 'init'], {
      ...{ input: 'four words of mine\nfour words of mine\n', encoding: 'utf8' as const },
      env: { ...process.env, PFAR_HOME: pfar.folder },
    })
    expect(key.status).toBe(0)
    const { code, found } = await doctor(NOWHERE)
    expect([code, saidOf(found, 'backups')]).toEqual([1, [['bad', 'There is none yet: `pfar backup now`.']]])
    const fixed = await pfar.pfar('doctor', '--json', '--fix', '--ollama', NOWHERE)
    expect(saidOf(JSON.parse(fixed.out), 'fixed')).toEqual([['ok', 'Made the backup that was due.']])
    expect([fixed.code, saidOf(JSON.parse(fixed.out), 'backups')]).toEqual([
      0,
      [['ok', 'The last one is 0 hours old.']],
    ])
  })

  test('a home that runs for the look alone is not said to run', async () => {
    await pfar.stop()
    const { code, found } = await doctor(NOWHERE)
    expect([code, saidOf(found, 'home')]).toEqual([
      0,
      [
        [
          'note',
          expect.stringMatching(
            /^It does not run now[\s\S]*started for this look alone\. To start it: `npm start`/,
          ),
        ],
      ],
    ])
    expect(saidOf(found, 'tunnel')).toMatchObject([['note', expect.any(String)]])
  })
})
