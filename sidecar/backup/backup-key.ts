/**
 * Keys of backups (E-14, X-15): the public half of the backup key seals one random data key per backup, only the passphrase opens
 * it, each file has a derived key. A separate signing key proves that a backup is this home's; otherwise anyone who holds the
 * disk and the public half could forge one. Must not keep the passphrase. Called by make.ts and backup.ts.
 */

import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { argon2id } from '@noble/hashes/argon2.js'
import * as z from 'zod/mini'
import { canonicalJson } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { tell } from '../language/wording.ts'
import { readJson } from '../store/json.ts'
import { openGcm, sealGcm } from './chunks.ts'

export const KEY_FILE = 'backup-key.json'
/** Private half of the signing key, PKCS8. It leaves home only inside an encrypted backup. */
export const SIGN_FILE = 'backup-sign.key'

/** Shortest passphrase, UTF-16 units: a stolen disk allows unlimited guesses, so a short one would be found (E-14). */
const MIN_PASSPHRASE = 12
const MAX_PASSPHRASE = 1_024

/** RFC 9106, second recommended choice: about two seconds and 64 MiB per guess. */
const COST = { memoryKib: 65_536, passes: 3, lanes: 1 } as const
/** Highest cost that a key file may ask for: one from an untrusted disk must not take all memory, nor hours. */
const MOST = { memoryKib: 1_048_576, passes: 16, lanes: 4 } as const

const SALT_BYTES = 16
const NONCE_BYTES = 12
const RAW_KEY = /^[A-Za-z0-9_-]{43}$/
const ENCODED = /^[A-Za-z0-9_-]{16,128}$/

const raw = z.string().check(z.regex(RAW_KEY))
const encoded = z.string().check(z.regex(ENCODED))
const upTo = (most: number) => z.int().check(z.minimum(1), z.maximum(most))

/** `backup-key.json`: in the state folder, and a copy in every backup, so that a backup and its passphrase suffice. */
const backupKeySchema = z.strictObject({
  version: z.literal(1),
  createdAt: z.int().check(z.nonnegative()),
  /** Raw X25519 public key, base64url. */
  sealTo: raw,
  /** Raw Ed25519 public key, base64url. */
  verify: raw,
  kdf: z.strictObject({
    name: z.literal('argon2id'),
    memoryKib: upTo(MOST.memoryKib),
    passes: upTo(MOST.passes),
    lanes: upTo(MOST.lanes),
    salt: encoded,
  }),
  nonce: encoded,
  /** The X25519 private key, encrypted under the passphrase. All fields above are its additional authenticated data. */
  wrapped: encoded,
})

export type BackupKey = z.output<typeof backupKeySchema>

interface NewBackupKey {
  readonly key: BackupKey
  /** PKCS8 PEM for `backup-sign.key`. */
  readonly signing: string
}

interface NewKeyInput {
  readonly passphrase: string
  readonly now: number
  /** Lowered by tests; all other callers use the default. */
  readonly cost?: { readonly memoryKib: number; readonly passes: number; readonly lanes: number }
}

/** Refusal: credential_missing, if the passphrase is too short or too long. */
export function createBackupKey({ passphrase, now, cost = COST }: NewKeyInput): Result<NewBackupKey> {
  const checked = checkPassphrase(passphrase)
  if (!checked.ok) return checked
  const seal = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  const sign = generateKeyPairSync('ed25519').privateKey
  const kdf = { name: 'argon2id', ...cost, salt: randomBytes(SALT_BYTES).toString('base64url') } as const
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const head: Omit<BackupKey, 'wrapped'> = {
    version: 1,
    createdAt: now,
    sealTo: text(seal.x),
    verify: text(sign.export({ format: 'jwk' }).x),
    kdf,
    nonce,
  }
  const secret = Buffer.from(text(seal.d), 'base64url')
  const wrapped = sealGcm(wrapping(head, passphrase), secret)
  const signing = sign.export({ type: 'pkcs8', format: 'pem' }).toString()
  return ok({ key: { ...head, wrapped: wrapped.toString('base64url') }, signing })
}

/** Refusal: record_malformed. */
export function parseBackupKey(content: string): Result<BackupKey> {
  const key = readJson(backupKeySchema, content)
  if (key !== null) return ok(key)
  return err('record_malformed', { file: KEY_FILE, problem: tell('backup_setup.key_version') })
}

/**
 * Decrypts the private half. This succeeds only with the public halves that the owner created it with, so afterwards
 * `verify` can be trusted, whoever held the disk. Refusal: credential_mismatch. Takes seconds and 64 MiB by design.
 */
export function unwrapBackupKey(key: BackupKey, passphrase: string): Result<KeyObject> {
  const { wrapped, ...head } = key
  const bytes = Buffer.from(wrapped, 'base64url')
  try {
    const secret = openGcm(wrapping(head, passphrase), bytes)
    const jwk = { kty: 'OKP', crv: 'X25519', x: key.sealTo, d: secret.toString('base64url') }
    return ok(createPrivateKey({ key: jwk, format: 'jwk' }))
  } catch {
    return err('credential_mismatch', { problem: tell('backup_setup.passphrase_wrong') })
  }
}

function checkPassphrase(passphrase: string): Result<true> {
  const { length } = passphrase
  if (length >= MIN_PASSPHRASE && length <= MAX_PASSPHRASE) return ok(true)
  const problem = tell('backup_setup.passphrase_length', { least: MIN_PASSPHRASE, most: MAX_PASSPHRASE })
  return err('credential_missing', { problem })
}

/** NFKC: keyboards encode the same accented letter in more than one way. */
function passphraseKey(passphrase: string, kdf: BackupKey['kdf']): Uint8Array {
  const salt = new Uint8Array(Buffer.from(kdf.salt, 'base64url'))
  const { memoryKib: m, passes: t, lanes: p } = kdf
  return argon2id(passphrase.normalize('NFKC'), salt, { m, t, p, dkLen: 32 })
}

function wrapping(head: Omit<BackupKey, 'wrapped'>, passphrase: string) {
  const nonce = Buffer.from(head.nonce, 'base64url')
  return {
    key: passphraseKey(passphrase, head.kdf),
    nonce,
    bound: `pfar/backup/1/key\n${canonicalJson(head)}`,
  }
}

function text(part: string | undefined): string {
  if (part === undefined) throw new TypeError('a key without this part')
  return part
}

export const DATA_KEY_BYTES = 32
/** A constant nonce is safe: the key is used once, since each backup has a new ephemeral key. */
const ZERO_NONCE = Buffer.alloc(12)

export interface Envelope {
  /** Raw X25519 public key, base64url. */
  readonly ephemeral: string
  /** Data key and tag, base64url. */
  readonly sealed: string
}

export function sealDataKey(dataKey: Uint8Array, sealTo: string, backup: string): Envelope {
  const pair = generateKeyPairSync('x25519')
  const ephemeral = pair.publicKey.export({ format: 'jwk' }).x ?? ''
  const shared = diffieHellman({ privateKey: pair.privateKey, publicKey: publicOf(sealTo) })
  const key = sealingKey(shared, ephemeral, sealTo)
  const sealed = sealGcm({ key, nonce: ZERO_NONCE, bound: backup }, dataKey)
  return { ephemeral, sealed: sealed.toString('base64url') }
}

/** Refusal: record_unreadable, if it was sealed to another key or for another backup. */
export function openDataKey(
  envelope: Envelope,
  key: { readonly secret: KeyObject; readonly sealTo: string },
  backup: string,
): Result<Uint8Array> {
  try {
    const { ephemeral } = envelope
    const shared = diffieHellman({ privateKey: key.secret, publicKey: publicOf(ephemeral) })
    const opening = { key: sealingKey(shared, ephemeral, key.sealTo), nonce: ZERO_NONCE, bound: backup }
    const dataKey = openGcm(opening, Buffer.from(envelope.sealed, 'base64url'))
    return ok(new Uint8Array(dataKey))
  } catch {
    return err('record_unreadable', {
      file: 'manifest.json',
      problem: 'its key was sealed to another key',
    })
  }
}

export function fileKey(
  dataKey: Uint8Array,
  purpose: 'content' | 'digest',
  file: { readonly backup: string; readonly name: string },
): Uint8Array {
  const info = `pfar/backup/1/${purpose}/${file.backup}/${file.name}`
  return new Uint8Array(hkdfSync('sha256', dataKey, '', info, DATA_KEY_BYTES))
}

function sealingKey(shared: Buffer, ephemeral: string, sealTo: string): Uint8Array {
  const salt = Buffer.from(`${ephemeral}.${sealTo}`)
  return new Uint8Array(hkdfSync('sha256', shared, salt, 'pfar/backup/1/seal', DATA_KEY_BYTES))
}

function publicOf(raw: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: raw }, format: 'jwk' })
}
