/** Encryption of a backup: what opens with which key, and that nothing else does (E-13, E-14). */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type BackupKey,
  createBackupKey,
  fileKey,
  openDataKey,
  parseBackupKey,
  sealDataKey,
  unwrapBackupKey,
} from '../../sidecar/backup/backup-key.ts'
import { decryptFile, encryptFile, hashFile } from '../../sidecar/backup/chunks.ts'
import { BackupTrouble } from '../../sidecar/store/storage-trouble.ts'
import { newFolder } from '../kit/folder.ts'
import { CHEAP, codeOf, given, NOON, PASSPHRASE } from './fixtures/backup.ts'

const make = (passphrase = PASSPHRASE) => createBackupKey({ passphrase, now: NOON, cost: CHEAP })
const { key } = given(make())

describe('the backup key', () => {
  test('reveals nothing of its private half', () => {
    const secret = given(unwrapBackupKey(key, PASSPHRASE)).export({ format: 'jwk' }).d ?? ''
    expect(secret).toHaveLength(43)
    expect(JSON.stringify(key)).not.toContain(secret)
  })
  test('opens with either Unicode form of an accent', () => {
    const accented = given(make('caf\u00e9 caf\u00e9 caf\u00e9')).key
    expect(codeOf(unwrapBackupKey(accented, 'cafe\u0301 cafe\u0301 cafe\u0301'))).toBe('allowed')
  })
  test('by default a guess costs 64 MiB and three passes', () => {
    const { kdf } = given(createBackupKey({ passphrase: PASSPHRASE, now: NOON })).key
    expect(kdf).toMatchObject({ name: 'argon2id', memoryKib: 65_536, passes: 3 })
  })

  const other = given(make()).key
  test.each<[string, BackupKey, string]>([
    ['another passphrase', key, `${PASSPHRASE} `],
    ['another public half', { ...key, sealTo: other.sealTo }, PASSPHRASE],
    ['another signing key', { ...key, verify: other.verify }, PASSPHRASE],
    ['another date', { ...key, createdAt: 0 }, PASSPHRASE],
    ['another salt', { ...key, kdf: { ...key.kdf, salt: other.kdf.salt } }, PASSPHRASE],
    ['another wrapped half', { ...key, wrapped: other.wrapped }, PASSPHRASE],
    ['a cut wrapped half', { ...key, wrapped: key.wrapped.slice(0, 20) }, PASSPHRASE],
  ])('does not open with %s', (_name, file, passphrase) => {
    expect(codeOf(unwrapBackupKey(file, passphrase))).toBe('credential_mismatch')
  })

  test.each([
    ['no JSON', '{'],
    ['an unknown field', JSON.stringify({ ...key, more: 1 })],
    ['another version', JSON.stringify({ ...key, version: 2 })],
    ['all the memory there is', JSON.stringify({ ...key, kdf: { ...key.kdf, memoryKib: 2 ** 30 } })],
    ['an hour of passes', JSON.stringify({ ...key, kdf: { ...key.kdf, passes: 1_000 } })],
    ['no public half', JSON.stringify({ ...key, sealTo: '' })],
  ])('%s is refused as a key file', (_name, content) => {
    expect(codeOf(parseBackupKey(content))).toBe('record_malformed')
  })

  test.each([
    ['short', 'x'.repeat(11), 'credential_missing'],
    ['long enough', 'x'.repeat(12), 'allowed'],
    ['endless', 'x'.repeat(1_025), 'credential_missing'],
  ])('a passphrase that is %s', (_name, passphrase, code) => {
    expect(codeOf(make(passphrase))).toBe(code)
  })
})

describe('the data key', () => {
  const dataKey = new Uint8Array(32).fill(7)
  const secret = given(unwrapBackupKey(key, PASSPHRASE))
  const mine = { secret, sealTo: key.sealTo }
  const envelope = sealDataKey(dataKey, key.sealTo, 'b1')
  const again = sealDataKey(dataKey, key.sealTo, 'b1')
  const stranger = given(make()).key

  test('opens for its backup', () => expect(given(openDataKey(envelope, mine, 'b1'))).toEqual(dataKey))
  test('is sealed anew each time', () => expect(again).not.toEqual(envelope))
  test.each([
    ['another backup', envelope, mine, 'b2'],
    ['another ephemeral half', { ...envelope, ephemeral: again.ephemeral }, mine, 'b1'],
    ['another key', sealDataKey(dataKey, stranger.sealTo, 'b1'), mine, 'b1'],
    ['a cut box', { ...envelope, sealed: envelope.sealed.slice(0, 20) }, mine, 'b1'],
    ['a half that is no point', { ...envelope, ephemeral: 'A'.repeat(43) }, mine, 'b1'],
  ])('does not open with %s', (_name, box, opener, backup) => {
    expect(codeOf(openDataKey(box, opener, backup))).toBe('record_unreadable')
  })
  test('no two files, backups or purposes share a key', () => {
    const keys = [
      fileKey(dataKey, 'content', { backup: 'b1', name: 'a' }),
      fileKey(dataKey, 'content', { backup: 'b1', name: 'b' }),
      fileKey(dataKey, 'content', { backup: 'b2', name: 'a' }),
      fileKey(dataKey, 'digest', { backup: 'b1', name: 'a' }),
    ].map((one) => Buffer.from(one).toString('hex'))
    expect(new Set(keys).size).toBe(4)
  })
})

describe('a file', () => {
  const CHUNK = 262_144
  const SEALED = CHUNK + 16
  const folder = newFolder('chunks')
  const keysOf = (name: string) => ({
    content: fileKey(new Uint8Array(32), 'content', { backup: 'b', name }),
    digest: fileKey(new Uint8Array(32), 'digest', { backup: 'b', name }),
  })
  const keys = keysOf('x')
  let n = 0
  const path = () => join(folder, String(n++))
  const sealed = async (plain: Uint8Array) => {
    const from = path()
    const to = path()
    writeFileSync(from, plain)
    return { to, written: await encryptFile({ from, to, keys, name: 'x' }) }
  }
  const opened = async (bytes: Uint8Array, with_ = keys) => {
    const from = path()
    const to = path()
    writeFileSync(from, bytes)
    const facts = await decryptFile({ from, to, keys: with_, name: 'x' })
    return { facts, bytes: readFileSync(to) }
  }
  const plainOf = (size: number) => new Uint8Array(size).map((_, at) => (at * 7 + (at >> 18)) & 0xff)

  test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])('of %d bytes is restored', async (size) => {
    const plain = plainOf(size)
    const { to, written } = await sealed(plain)
    expect(written.sha256).toBe(await hashFile(to))
    const back = await opened(readFileSync(to))
    expect(Buffer.compare(back.bytes, plain)).toBe(0)
    expect(back.facts).toEqual({ size, digest: written.digest })
  })

  test.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['a changed bit', (bytes) => bytes.fill((bytes[9] ?? 0) ^ 1, 9, 10)],
    ['cut in a chunk', (bytes) => bytes.subarray(0, -1)],
    ['cut between chunks', (bytes) => bytes.subarray(0, 2 * SEALED)],
    ['cut to nothing', () => Buffer.alloc(0)],
    [
      'two chunks swapped',
      (b) => Buffer.concat([b.subarray(SEALED, 2 * SEALED), b.subarray(0, SEALED), b.subarray(2 * SEALED)]),
    ],
    ['a chunk left out', (b) => Buffer.concat([b.subarray(0, SEALED), b.subarray(2 * SEALED)])],
    ['a chunk twice', (b) => Buffer.concat([b.subarray(0, SEALED), b])],
    ['bytes added', (bytes) => Buffer.concat([bytes, Buffer.alloc(16)])],
  ])('with %s is refused', async (_name, spoil) => {
    const { to } = await sealed(plainOf(2 * CHUNK + 5))
    const trouble = await opened(spoil(readFileSync(to))).catch((error: unknown) => error)
    expect(trouble).toBeInstanceOf(BackupTrouble)
    expect((trouble as BackupTrouble).reason).toMatchObject({
      code: 'record_malformed',
      facts: { file: 'x' },
    })
  })

  test('under the key of another file is refused', async () => {
    const { to } = await sealed(plainOf(10))
    await expect(opened(readFileSync(to), keysOf('y'))).rejects.toThrow('record_malformed')
  })
})
