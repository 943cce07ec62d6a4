/** The state folder: modes, owners, links, and one key for two concurrent starts (DESIGN §8). */

import { createPublicKey, verify } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { developmentKey } from '../../sidecar/keys/open-custody.ts'
import { acquireInstanceLock } from '../../sidecar/store/instance-lock.ts'
import {
  openStateFolder,
  readKeyFile,
  type StateFolder,
  stateFolderPath,
} from '../../sidecar/store/state-folder.ts'
import { loadDeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { newFolder } from '../kit/folder.ts'

function freshFolder(): StateFolder {
  const opened = openStateFolder(join(newFolder('state'), 'home'))
  if (!opened.ok) throw new Error('no folder')
  return opened.value
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('folder', () => {
  test('is created with mode 0700', () => expect(modeOf(freshFolder().path)).toBe('700'))

  // A file system that takes no folders; Node's recursive way never comes back from there.
  test.each(['/proc/nope', '/proc/nope/deeper'])('is refused at once where none can be made: %s', (path) =>
    expect(openStateFolder(path)).toMatchObject({ ok: false, reason: { code: 'storage_failed' } }),
  )

  test('is closed to others if it was open', () => {
    const path = join(newFolder('state'), 'open')
    mkdirSync(path)
    chmodSync(path, 0o755)
    expect(openStateFolder(path).ok).toBe(true)
    expect(modeOf(path)).toBe('700')
  })

  test.each([
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a link', (path: string) => symlinkSync(tmpdir(), path)],
  ])('%s in its place is refused', (_name, put) => {
    const path = join(newFolder('state'), 'x')
    put(path)
    expect(openStateFolder(path)).toMatchObject({ ok: false, reason: { code: 'storage_failed' } })
  })

  test.each([
    ['PFAR_HOME', { PFAR_HOME: '/srv/pfar' }, '/srv/pfar'],
    ['empty PFAR_HOME', { PFAR_HOME: '', HOME: '/x' }, join(process.env['HOME'] ?? '', '.pfar')],
  ])('%s', (_name, env, path) => expect(stateFolderPath(env)).toBe(path))
})

describe.each([
  ['device.key', async (folder: StateFolder) => loadDeviceKey(folder)],
  ['dev.key', (folder: StateFolder) => developmentKey(folder, { mayCreate: true, hasWords: false }).read()],
])('%s', (name, load) => {
  test('is created once, 0600, and read back unchanged', async () => {
    const folder = freshFolder()
    expect((await load(folder)).ok).toBe(true)
    const first = readFileSync(folder.file(name), 'utf8')
    expect((await load(folder)).ok).toBe(true)
    expect(readFileSync(folder.file(name), 'utf8')).toBe(first)
    expect(modeOf(folder.file(name))).toBe('600')
  })

  test.each([0o640, 0o604, 0o660, 0o644, 0o601])('is refused with mode %o, and not changed', async (mode) => {
    const folder = freshFolder()
    await load(folder)
    chmodSync(folder.file(name), mode)
    const loaded = await load(folder)
    expect(loaded).toMatchObject({ ok: false, reason: { code: 'storage_failed', facts: { file: name } } })
    expect(JSON.stringify(loaded)).toContain('chmod 600')
    expect(modeOf(folder.file(name))).toBe(mode.toString(8))
  })

  test('is refused as a link', async () => {
    const folder = freshFolder()
    const elsewhere = join(newFolder('else'), 'key')
    writeFileSync(elsewhere, 'x', { mode: 0o600 })
    symlinkSync(elsewhere, folder.file(name))
    expect(await load(folder)).toMatchObject({ ok: false, reason: { code: 'storage_failed' } })
  })

  test.each([
    '',
    'rubbish',
    'A'.repeat(42),
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
  ])('is refused with content %#, without repeating it', async (content) => {
    const folder = freshFolder()
    writeFileSync(folder.file(name), content, { mode: 0o600 })
    const loaded = await load(folder)
    expect(loaded).toMatchObject({ ok: false, reason: { code: 'record_malformed' } })
    if (content !== '') expect(JSON.stringify(loaded)).not.toContain(content)
  })

  test('is refused if it is too large for a key', async () => {
    const folder = freshFolder()
    writeFileSync(folder.file(name), 'A'.repeat(10_000), { mode: 0o600 })
    expect(await load(folder)).toMatchObject({ ok: false, reason: { code: 'storage_failed' } })
  })
})

test('the first key that was written wins', () => {
  const folder = freshFolder()
  const made = readKeyFile(folder, 'k', () => {
    writeFileSync(folder.file('k'), 'first', { mode: 0o600 })
    return 'second'
  })
  expect(made).toEqual({ ok: true, value: 'first' })
})

test('the device key signs with the public key and the fingerprint it shows', () => {
  const loaded = loadDeviceKey(freshFolder())
  if (!loaded.ok) throw new Error('no key')
  const { id, publicKey, sign } = loaded.value
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
  expect(verify(null, Buffer.from('words'), key, sign(Buffer.from('words')))).toBe(true)
  expect(id).toMatch(/^[0-9a-f]{32}$/)
})

test('one home holds the folder until it ends', () => {
  const folder = freshFolder()
  const first = acquireInstanceLock(folder)
  expect(first.ok).toBe(true)
  expect(acquireInstanceLock(folder)).toMatchObject({ ok: false, reason: { code: 'storage_failed' } })
  if (first.ok) first.value.release()
  expect(acquireInstanceLock(folder).ok).toBe(true)
  expect(modeOf(folder.file('home.lock'))).toBe('600')
})
