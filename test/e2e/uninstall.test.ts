/**
 * `pfar uninstall` as a user runs it: nothing without its word, nothing that is not PFAR's, and then nothing left: neither here nor at
 * Cloudflare nor at Telegram.
 */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keepShown } from '../../sidecar/cli/chat/shown-card.ts'
import { isWithin, removable } from '../../sidecar/cli/commands/uninstall-command.ts'
import { type CloudflareApi, startCloudflare } from '../fakes/cloudflare-api.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { OWNER_ID } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { freePort } from '../kit/server.ts'
import { serviceKey } from './restore-bench.ts'

const ROOT = join(import.meta.dirname, '../..')
const TOKEN = 'a-token-of-the-owners-account'
const SOON = 120_000

let around = ''
let cloudflare: CloudflareApi
let telegram: ScriptedTelegram
beforeAll(async () => {
  telegram = await startTelegram()
  cloudflare = await startCloudflare(TOKEN, await freePort())
})
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'pfar-e2e-uninstall-'))
  mkdirSync(join(around, 'bin'))
  writeFileSync(join(around, 'bin/systemctl'), '#!/bin/sh\nexit 0\n')
  chmodSync(join(around, 'bin/systemctl'), 0o755)
  return () => rmSync(around, { recursive: true, force: true })
})
afterAll(async () => {
  await cloudflare.close()
  await telegram.close()
})

const home = (): string => join(around, 'state')

function start(args: readonly string[], typed: string) {
  const child = spawn(process.execPath, ['scripts/pfar.mjs', ...args], {
    cwd: ROOT,
    env: {
      ...{ HOME: around, PFAR_HOME: home(), PFAR_UNITS: join(around, 'units'), NO_COLOR: '1' },
      PATH: `${join(around, 'bin')}:${process.env['PATH'] ?? ''}`,
      ...{ CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_API_BASE_URL: cloudflare.url },
      PFAR_TELEGRAM_API: telegram.origin,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  child.stdin.on('error', () => undefined).end(typed)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { ended, said: () => said }
}

async function pfar(typed: string, ...args: string[]) {
  const ran = start(args, typed)
  const code = await ran.ended
  return { code, said: ran.said() }
}

test('without the word, and with --dry-run, nothing goes', async () => {
  expect((await pfar('', 'init', '--yes', '--ollama', 'http://127.0.0.1:1')).code).toBe(0)
  chmodSync(home(), 0o755)
  const before = readdirSync(home()).sort()
  for (const [typed, args] of [
    ['no\nyes\n', []],
    ['no\n', []],
    ['maybe\nuninstall\n', []],
    ['', []],
    ['no\nuninstall\n', ['--dry-run']],
    // There is no key for backups yet, and one is wanted.
    ['yes\nuninstall\n', []],
  ] as const) {
    const { code, said } = await pfar(typed, 'uninstall', ...args)
    expect(code).toBe(args.length === 0 ? 1 : 0)
    expect(said).toContain(`the folder    ${home()}`)
    expect(readdirSync(home()).sort()).toEqual(before)
    if (args.length > 0) expect((statSync(home()).mode & 0o777).toString(8)).toBe('755')
    chmodSync(home(), 0o755)
  }
})

test('a project that has logs, or a folder with files of its owner’s, is not deleted, and they are named', async () => {
  mkdirSync(join(home(), 'logs'), { recursive: true })
  writeFileSync(join(home(), 'start.pid'), '1')
  writeFileSync(join(home(), 'thesis.txt'), 'x')
  expect(await pfar('no\nuninstall\n', 'uninstall')).toMatchObject({ code: 1 })
  writeFileSync(join(home(), 'device.key'), 'x')
  const { code, said } = await pfar('no\nuninstall\n', 'uninstall', '--force')
  expect([code, said]).toEqual([1, expect.stringContaining('"thesis.txt" in it is none of PFAR')])
  expect(readdirSync(home()).sort()).toEqual(['device.key', 'logs', 'start.pid', 'thesis.txt'])
})

test('with the word the folder goes, and what lies beside it stays', async () => {
  expect((await pfar('', 'init', '--yes', '--ollama', 'http://127.0.0.1:1')).code).toBe(0)
  mkdirSync(join(around, 'units'))
  writeFileSync(join(around, 'units/pfar.service'), 'x')
  mkdirSync(join(around, 'state.before-restore-1'))
  keepShown(join(home(), 'shown-card'), 'private', { approval: 'a1b2', options: 0 })
  // A link in the folder goes; where it leads stays.
  mkdirSync(join(around, 'mine'))
  writeFileSync(join(around, 'mine/letter'), 'x')
  symlinkSync(join(around, 'mine'), join(home(), 'prompts'))
  const { code, said } = await pfar('no\nuninstall\n', 'uninstall')
  expect([code, existsSync(home())]).toEqual([0, false])
  expect(said).toContain(`This stays: ${join(around, 'state.before-restore-1')}`)
  expect(readdirSync(join(around, 'units'))).toEqual([])
  expect(readdirSync(join(around, 'mine'))).toEqual(['letter'])
})

test(
  'a last backup lies beside the folder',
  async () => {
    expect((await pfar('', 'init', '--yes', '--ollama', 'http://127.0.0.1:1')).code).toBe(0)
    serviceKey().put(home())
    expect((await pfar('four words of mine\nfour words of mine\n', 'backup', 'init')).code).toBe(0)
    // As an earlier version left it: a backup key beside a development key, which would go with the folder.
    rmSync(join(home(), 'custody.json'))
    const { code, said } = await pfar('\nuninstall\n', 'uninstall')
    expect([code, existsSync(home()), said]).toEqual([
      1,
      true,
      expect.stringContaining('open only with dev.key'),
    ])
    serviceKey().put(home())
    expect((await pfar('\nuninstall\n', 'uninstall')).code).toBe(0)
    expect(existsSync(home())).toBe(false)
    const [name = ''] = readdirSync(join(around, 'state-last-backup'))
    expect(name).toMatch(/^\d{4}-\d\d-\d\d/)
  },
  SOON,
)

test('with --edge nothing is left at Cloudflare and at Telegram', async () => {
  expect((await pfar('', 'init', '--yes', '--ollama', 'http://127.0.0.1:1')).code).toBe(0)
  expect((await pfar('', 'deploy', '--address', cloudflare.workerUrl)).code).toBe(0)
  const connecting = start(['telegram', 'connect'], BOT_TOKEN)
  const code = await until(() => /own account: (\S+)/.exec(connecting.said())?.[1], SOON)
  telegram.write(OWNER_ID, `/start ${code}`)
  expect(await connecting.ended).toBe(0)
  expect([telegram.messenger.webhook === null, cloudflare.holds()]).toEqual([false, ['database', 'worker']])
  const removed = await pfar('no\nuninstall\n', 'uninstall', '--edge')
  expect(removed).toMatchObject({ code: 0, said: expect.stringContaining('edge     removed') })
  expect([telegram.messenger.webhook, cloudflare.holds(), cloudflare.secrets()]).toEqual([null, [], {}])
  expect(
    readdirSync(around).filter((one) => !['bin', '.config', '.npm', '.cache', '.wrangler'].includes(one)),
  ).toEqual([])
}, 240_000)

test('an edge that is away keeps the folder, whose key alone could command it', async () => {
  expect((await pfar('', 'init', '--yes', '--ollama', 'http://127.0.0.1:1')).code).toBe(0)
  writeFileSync(join(home(), 'config.toml'), '[edge]\nurl = "http://127.0.0.1:1"\n')
  const kept = await pfar('no\nuninstall\n', 'uninstall')
  expect([kept.code, existsSync(home())]).toEqual([1, true])
  expect(kept.said).toContain('With --force')
  expect((await pfar('no\nuninstall\n', 'uninstall', '--force')).code).toBe(0)
  expect(existsSync(home())).toBe(false)
})

describe('what may go', () => {
  test.each([
    ['one that is not there', (): string => home(), 'nothing_found'],
    ['one without a mark of PFAR’s', (): string => join(around, 'bin'), 'storage_failed'],
    ['a file', (): string => join(around, 'bin/systemctl'), 'storage_failed'],
    ['the home directory', (): string => process.env['HOME'] ?? '/', 'storage_failed'],
    ['the root', (): string => '/', 'storage_failed'],
    ['the program', (): string => ROOT, 'storage_failed'],
    ['what holds the program', () => join(ROOT, '..'), 'storage_failed'],
  ] as const)('not %s', (_what, path, code) => {
    expect(removable(path())).toMatchObject({ ok: false, reason: { code } })
  })

  test('nor one in which its owner’s own files lie', () => {
    const { HOME = '' } = process.env
    mkdirSync(join(home(), 'prompts'), { recursive: true })
    writeFileSync(join(home(), 'device.key'), 'x')
    process.env['HOME'] = join(home(), 'prompts')
    const mine = removable(home())
    process.env['HOME'] = HOME
    expect([mine.ok, removable(home()).ok]).toEqual([false, true])
  })

  test('nor a link to one that may', () => {
    mkdirSync(home())
    writeFileSync(join(home(), 'device.key'), 'x')
    symlinkSync(home(), join(around, 'link'))
    expect([removable(home()).ok, removable(join(around, 'link')).ok]).toEqual([true, false])
    expect([isWithin(join(home(), 'a'), home()), isWithin(`${home()}-b`, home())]).toEqual([true, false])
  })
})
