/**
 * A change of the master key that is killed (SIGKILL) between any two steps: home starts, every record opens, one key
 * is in force, and it is the new one if that had been stored (DESIGN §6, E-12).
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { initKey } from '../../sidecar/keys/change-key.ts'
import { readCustodyRecord } from '../../sidecar/keys/custody.ts'
import { keyStatus } from '../../sidecar/keys/key-status.ts'
import { masterOf } from '../../sidecar/keys/recovery-phrase.ts'
import type { StateFolder } from '../../sidecar/store/state-folder.ts'
import { newFolder } from '../kit/folder.ts'
import { cheapOpener, developmentHome, folderAt, opens, start, withKeys } from './fixtures/keys.ts'
import { scriptedTerminal } from './fixtures/scripted-terminal.ts'

const SCRIPT = fileURLToPath(new URL('fixtures/key-change.ts', import.meta.url))

/**
 * Checkpoints, two per port call: init reads, rehearses, writes, (names the custody,) reads, wraps, writes, removes,
 * (names it again); rotate reads, writes, reads, wraps, writes. Killed once in each distinct state.
 */
const LOOKS = { init: [2, 3, 5, 6, 9, 11, 13], rotate: [2, 3, 7, 9] } as const
const NEVER = 99
/** Checkpoints until the custody in force holds both keys; from then on the new one must come into force. */
const STORED = { init: 6, rotate: 3 } as const

let fresh: { folder: StateFolder; sealed: Uint8Array }
let real: { folder: StateFolder; sealed: Uint8Array }
beforeAll(async () => {
  fresh = await developmentHome()
  real = await developmentHome()
  const made = await withKeys(real.folder, (input) =>
    initKey({ ...input, terminal: scriptedTerminal() }, 'passphrase'),
  )
  expect(made.ok).toBe(true)
})

function run(path: string, what: string, killAt: number): Promise<number | string> {
  const child = spawn(process.execPath, [SCRIPT, path, what, String(killAt)], { stdio: 'inherit' })
  return new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code ?? 'unknown')))
}

/** The home after a change of this kind was killed at this checkpoint. */
async function killed(
  what: 'init' | 'rotate',
  at: number,
): Promise<{ folder: StateFolder; end: number | string }> {
  const path = join(newFolder('killed'), 'home')
  cpSync((what === 'init' ? fresh : real).folder.path, path, { recursive: true })
  return { end: await run(path, what, at), folder: folderAt(path) }
}

describe.each(['init', 'rotate'] as const)('%s', (what) => {
  test.each(LOOKS[what])('killed at checkpoint %i', { timeout: 30_000 }, async (at) => {
    const { folder, end } = await killed(what, at)
    expect(end).toBe('SIGKILL')
    const keys = await start(folder)
    expect(await opens(keys, (what === 'init' ? fresh : real).sealed)).toBe('dinner')
    keys.close()

    const changed = at >= STORED[what]
    const before = what === 'init' ? 1 : 2
    const status = await keyStatus(folder, {})
    expect(status).toMatchObject({ ok: true, value: { masterKey: changed ? before + 1 : before } })
    await settled(folder)
    if (changed) await expectInForce(folder)
  })

  test('not killed', { timeout: 30_000 }, async () => {
    const { folder, end } = await killed(what, NEVER)
    expect(end).toBe(0)
    await settled(folder)
    await expectInForce(folder)
  })
})

/** One key in one custody, and nothing left of a former one. */
async function settled(folder: StateFolder): Promise<void> {
  const record = readCustodyRecord(folder)
  if (!record.ok) throw new Error('no record')
  expect(record.value.from).toBeUndefined()
  expect(existsSync(folder.file('dev.key'))).toBe(record.value.kind === 'development')
  const held = await cheapOpener(folder)(record.value).read()
  expect(held.ok && held.value.length).toBe(1)
}

async function expectInForce(folder: StateFolder): Promise<void> {
  const words = masterOf(readFileSync(`${folder.path}.words`, 'utf8'))
  if (!words.ok) throw new Error('no words')
  expect(await withKeys(folder, async (_input, store) => store.fits(words.value))).toBe(true)
}
