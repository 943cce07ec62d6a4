/** Fuzz targets of what comes back from a disk that someone else may have held: sealed records, backups. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { joinRecord, splitRecord } from '../../../kernel/vault/key-ring.ts'
import type { SealAddress } from '../../../kernel/vault/sealer.ts'
import { readManifest, signManifest } from '../../../sidecar/backup/backup.ts'
import {
  createBackupKey,
  type Envelope,
  openDataKey,
  parseBackupKey,
  sealDataKey,
} from '../../../sidecar/backup/backup-key.ts'
import { decryptFile, encryptFile } from '../../../sidecar/backup/chunks.ts'
import { unpackKeys } from '../../../sidecar/keys/custody.ts'
import { BackupTrouble } from '../../../sidecar/store/storage-trouble.ts'
import { CHEAP, given, NOON, PASSPHRASE } from '../../home/fixtures/backup.ts'
import { memoryRing } from '../../vault/memory-ring.ts'
import { CANARY, type Target } from '../target.ts'

const { sealer } = memoryRing(new Uint8Array(randomBytes(32))).ring
const ADDRESS: SealAddress = {
  store: 'sessions',
  principal: 'principal:owner',
  record: 'r1',
  label: 'internal',
  version: 1,
}
const WORDS = new TextEncoder().encode(`"${CANARY}"`)
const SEALED = await sealer.seal(ADDRESS, WORDS)

const signing = generateKeyPairSync('ed25519')
const verifyKey = signing.publicKey.export({ format: 'jwk' }).x ?? ''
const MANIFEST = {
  format: 1,
  backup: 'ab'.repeat(16),
  version: '0.1.0',
  createdAt: NOON,
  envelope: { ephemeral: 'A'.repeat(43), sealed: 'A'.repeat(64) },
  files: [
    {
      name: 'home.sqlite',
      kind: 'sqlite',
      size: 12,
      digest: '0'.repeat(64),
      sha256: '1'.repeat(64),
      schema: [{ set: 'store', tag: '0000_first' }],
    },
  ],
} as const
const SIGNED = JSON.parse(signManifest(MANIFEST as never, signing.privateKey)) as Json

const { key: backupKey } = given(createBackupKey({ passphrase: PASSPHRASE, now: NOON, cost: CHEAP }))
const box = generateKeyPairSync('x25519')
const sealTo = box.publicKey.export({ format: 'jwk' }).x ?? ''
const DATA_KEY = new Uint8Array(randomBytes(32))
const ENVELOPE = { ...sealDataKey(DATA_KEY, sealTo, 'b1') }

const folder = mkdtempSync(join(tmpdir(), 'pfar-fuzz-'))
const keys = { content: new Uint8Array(32).fill(1), digest: new Uint8Array(32).fill(2) }
const plain = join(folder, 'plain')
const sealedFile = join(folder, 'sealed')
writeFileSync(plain, `${CANARY} in a file`)
await encryptFile({ from: plain, to: sealedFile, keys, name: 'plain' })
const FILE = new Uint8Array(readFileSync(sealedFile))

async function openFile(input: unknown): Promise<Result<unknown>> {
  const to = join(folder, 'opened')
  if (existsSync(to)) rmSync(to)
  writeFileSync(sealedFile, input as Uint8Array)
  try {
    await decryptFile({ from: sealedFile, to, keys, name: 'home.sqlite' })
  } catch (error) {
    if (error instanceof BackupTrouble) return { ok: false, reason: error.reason }
    throw error
  }
  return ok(readFileSync(to, 'utf8'))
}

export const SEALED_TARGETS: readonly Target[] = [
  {
    ...{ name: 'record layout', form: 'bytes', samples: [joinRecord({ generation: 3, box: WORDS })] },
    parse: (input) => {
      const parts = splitRecord(input as Uint8Array)
      return parts === null ? err('record_malformed') : ok(joinRecord(parts))
    },
    again: (value) => value,
  },
  {
    ...{
      name: 'sealed record',
      form: 'bytes',
      samples: [SEALED],
      parse: (input) => sealer.open(ADDRESS, input as Uint8Array),
    },
    fault: (value) =>
      (value as Uint8Array).join() === WORDS.join() ? null : 'a record that was never sealed',
  },
  {
    ...{
      name: 'address of a sealed record',
      form: 'value',
      samples: [ADDRESS as unknown as Json],
      names: ['record'],
    },
    parse: async (input) => {
      const { store, principal, record, label, version } = (input ?? {}) as SealAddress
      // Rows give exactly these types back; what is fuzzed is which ones.
      if (
        [store, principal, record, label].some((part) => typeof part !== 'string') ||
        !Number.isSafeInteger(version)
      )
        return err('record_malformed')
      const opened = await sealer.open({ store, principal, record, label, version }, SEALED)
      return opened.ok ? ok({ store, principal, record, label, version }) : opened
    },
    fault: (value) =>
      JSON.stringify(value) === JSON.stringify(ADDRESS) ? null : 'a record under another address',
  },
  {
    ...{ name: 'keys of a custody', form: 'bytes', samples: [new Uint8Array(32), new Uint8Array(64)] },
    parse: (input) => {
      const held = unpackKeys(input as Uint8Array)
      return held === null ? err('record_malformed') : ok(held.map(({ length }) => length))
    },
    fault: (value) => (/^(?:32|32,32)$/.test(String(value)) ? null : 'a short key'),
  },
  {
    ...{
      name: 'backup manifest',
      form: 'json',
      samples: [SIGNED],
      parse: (input) => readManifest(String(input), verifyKey),
    },
    fault: (value) =>
      JSON.stringify(value) === JSON.stringify(MANIFEST) ? null : 'a manifest that was not signed',
  },
  {
    ...{
      name: 'backup key',
      form: 'json',
      samples: [backupKey as unknown as Json],
      parse: (input) => parseBackupKey(String(input)),
    },
    again: (value) => JSON.stringify(value),
  },
  {
    ...{ name: 'backup envelope', form: 'value', samples: [ENVELOPE] },
    parse: (input) => {
      const { ephemeral, sealed } = (input ?? {}) as Partial<Envelope>
      // The manifest's schema lets nothing else through to here.
      const encoded = [ephemeral, sealed].every(
        (text) => typeof text === 'string' && /^[A-Za-z0-9_-]{16,128}$/.test(text),
      )
      if (!encoded) return err('record_malformed')
      return openDataKey(input as Envelope, { secret: box.privateKey, sealTo }, 'b1')
    },
    fault: (value) => ((value as Uint8Array).join() === DATA_KEY.join() ? null : 'another key'),
  },
  {
    ...{ name: 'encrypted backup file', form: 'bytes', samples: [FILE], parse: openFile, slow: true },
    fault: (value) => (value === `${CANARY} in a file` ? null : 'a file that was never written'),
  },
]
