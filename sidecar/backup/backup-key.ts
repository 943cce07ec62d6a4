/**
 * The backup key (E-14, X-15): the public half seals a backup, and only the passphrase opens it. A separate signing key
 * proves that a backup is this home's; otherwise anyone who holds the disk and the public half could forge one. Must
 * not keep the passphrase. Called by `pfar backup init`, make.ts and open-backup.ts.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { argon2id } from '@noble/hashes/argon2.js'
import * as z from 'zod/mini'
import { canonicalJson } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

export const KEY_FILE = 'backup-key.json'
/** Private half of the signing key, PKCS8. It leaves home only inside an encrypted backup. */
export const SIGN_FILE = 'backup-sign.key'

/**
 * Shortest passphrase, UTF-16 units. A stolen disk allows unlimited offline guesses, so a short one would be found
 * (E-14).
 */
export const MIN_PASSPHRASE = 12
const MAX_PASSPHRASE = 1_024

/** RFC 9106, second recommended choice: about two seconds and 64 MiB per guess. */
const COST = { memoryKib: 65_536, passes: 3, lanes: 1 } as const
/** Highest cost that a key file may ask for: one from an untrusted disk must not take all memory, nor hours. */
const MOST = { memoryKib: 1_048_576, passes: 16, lanes: 4 } as const

const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const RAW_KEY = /^[A-Za-z0-9_-]{43}$/
const ENCODED = /^[A-Za-z0-9_-]{16,128}$/

const raw = z.string().check(z.regex(RAW_KEY))
const encoded = z.string().check(z.regex(ENCODED))
const upTo = (most: number) => z.int().check(z.minimum(1), z.maximum(most))

/** `backup-key.json`: in the state folder, and a copy in every backup, so that a backup and its passphrase suffice. */
export const backupKeySchema = z.strictObject({
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

export interface NewBackupKey {
  readonly key: BackupKey
  /** PKCS8 PEM for `backup-sign.key`. */
  readonly signing: string
}

export interface NewKeyInput {
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
  const cipher = createCipheriv(
    'aes-256-gcm',
    passphraseKey(passphrase, kdf),
    Buffer.from(nonce, 'base64url'),
  )
  cipher.setAAD(aadOf(head))
  const secret = Buffer.from(text(seal.d), 'base64url')
  const wrapped = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  const signing = sign.export({ type: 'pkcs8', format: 'pem' }).toString()
  return ok({ key: { ...head, wrapped: wrapped.toString('base64url') }, signing })
}

/** Refusal: record_malformed. */
export function parseBackupKey(content: string): Result<BackupKey> {
  const parsed = z.safeParse(backupKeySchema, decoded(content))
  if (parsed.success) return ok(parsed.data)
  return err('record_malformed', { file: KEY_FILE, problem: 'it is not a backup key of this version' })
}

/**
 * Decrypts the private half. This succeeds only with the public halves that the owner created it with, so afterwards
 * `verify` can be trusted, whoever held the disk. Refusal: credential_mismatch. Takes seconds and 64 MiB by design.
 */
export function unwrapBackupKey(key: BackupKey, passphrase: string): Result<KeyObject> {
  const { wrapped, ...head } = key
  const bytes = Buffer.from(wrapped, 'base64url')
  try {
    const nonce = Buffer.from(key.nonce, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', passphraseKey(passphrase, key.kdf), nonce)
    decipher.setAAD(aadOf(head))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const secret = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
    const jwk = { kty: 'OKP', crv: 'X25519', x: key.sealTo, d: secret.toString('base64url') }
    return ok(createPrivateKey({ key: jwk, format: 'jwk' }))
  } catch {
    const problem =
      'The passphrase does not open this backup. It is the one that was chosen at `pfar backup init` when the backup was made.'
    return err('credential_mismatch', { problem })
  }
}

function checkPassphrase(passphrase: string): Result<true> {
  const { length } = passphrase
  if (length >= MIN_PASSPHRASE && length <= MAX_PASSPHRASE) return ok(true)
  const problem = `The passphrase must have ${MIN_PASSPHRASE} to ${MAX_PASSPHRASE} characters; several words are best.`
  return err('credential_missing', { problem })
}

/** NFKC: keyboards encode the same accented letter in more than one way. */
function passphraseKey(passphrase: string, kdf: BackupKey['kdf']): Uint8Array {
  const salt = new Uint8Array(Buffer.from(kdf.salt, 'base64url'))
  const { memoryKib: m, passes: t, lanes: p } = kdf
  return argon2id(passphrase.normalize('NFKC'), salt, { m, t, p, dkLen: 32 })
}

function aadOf(head: Omit<BackupKey, 'wrapped'>): Buffer {
  return Buffer.from(`pfar/backup/1/key\n${canonicalJson(head)}`)
}

function decoded(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}

function text(part: string | undefined): string {
  if (part === undefined) throw new TypeError('a key without this part')
  return part
}
