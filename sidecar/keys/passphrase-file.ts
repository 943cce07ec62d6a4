/**
 * Custody in `master.key`, encrypted under a passphrase (DESIGN §6). Home asks for it at each start, so it cannot start
 * unattended. Must not keep the passphrase longer than this object lives. Called by open-custody.ts.
 */

import { randomBytes, scrypt } from 'node:crypto'
import * as z from 'zod/mini'
import { canonicalJson } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { KEY_BYTES, NONCE_BYTES, openBox, sealBox } from '../../kernel/vault/cipher.ts'
import { tell } from '../language/wording.ts'
import { readJson } from '../store/json.ts'
import {
  readPrivateFile,
  removePrivateFile,
  replacePrivateFile,
  type StateFolder,
} from '../store/state-folder.ts'
import { type AskPassphrase, type Custody, type HeldKeys, packKeys, unpackKeys } from './custody.ts'

export const PASSPHRASE_FILE = 'master.key'

/**
 * OWASP's first choice for scrypt (RFC 7914): 128 MiB and about 0.6 s per guess. Node's scrypt is native; Argon2id
 * would be JavaScript here, five times slower for the owner than for an attacker.
 */
export const SCRYPT_COST = { n: 2 ** 17, r: 8, p: 1 } as const
/** Bounds of the cost that a file may ask for: a planted file must not take all memory, nor make guessing cheap. */
const LEAST_N = 2 ** 15
const MOST_N = 2 ** 20

const SALT_BYTES = 16
const encoded = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,300}$/))

const schema = z.strictObject({
  version: z.literal(1),
  kdf: z.literal('scrypt'),
  n: z.int().check(z.refine((n) => n >= LEAST_N && n <= MOST_N && Number.isInteger(Math.log2(n)))),
  r: z.literal(SCRYPT_COST.r),
  p: z.literal(SCRYPT_COST.p),
  salt: encoded,
  box: encoded,
})

type Header = Omit<z.output<typeof schema>, 'box'>

export interface PassphraseInput {
  readonly ask: AskPassphrase
  /** Memory cost for files that are written; tests lower it. */
  readonly n?: number
}

/** Refusals of `read`: key_unavailable (nobody to ask, wrong passphrase), storage_failed (mode), record_malformed. */
export function passphraseFile(folder: StateFolder, { ask, n = SCRYPT_COST.n }: PassphraseInput): Custody {
  let known: string | null = null
  const passphrase = async (which: 'present' | 'new'): Promise<string | null> => {
    known ??= await ask(which)
    return known
  }
  const read = async (): Promise<Result<HeldKeys>> => {
    const text = readPrivateFile(folder, PASSPHRASE_FILE)
    if (text === null) return damaged(tell('key_setup.missing'))
    if (!text.ok) return text
    const file = readJson(schema, text.value)
    if (file === null) return damaged(tell('key_setup.damaged'))
    const words = await passphrase('present')
    if (words === null) return nobody()
    const { box, ...header } = file
    const plain = openBox(await stretch(words, header), bound(header), fromText(box))
    const keys = plain === null ? null : unpackKeys(plain)
    if (keys !== null) return ok(keys)
    known = null
    return err('key_unavailable', {
      file: PASSPHRASE_FILE,
      problem: tell('key_setup.file_wrong'),
    })
  }
  return {
    kind: 'passphrase',
    read,
    async write(keys) {
      const words = await passphrase('new')
      if (words === null) return nobody()
      const header: Header = {
        version: 1,
        kdf: 'scrypt',
        n,
        r: 8,
        p: 1,
        salt: toText(randomBytes(SALT_BYTES)),
      }
      const place = { nonce: new Uint8Array(randomBytes(NONCE_BYTES)), bound: bound(header) }
      const box = toText(sealBox(await stretch(words, header), place, packKeys(keys)))
      const written = replacePrivateFile(folder, PASSPHRASE_FILE, `${JSON.stringify({ ...header, box })}\n`)
      if (!written.ok) return written
      const back = await read()
      return back.ok ? ok(null) : back
    },
    remove: async () => removePrivateFile(folder, PASSPHRASE_FILE),
  }
}

/** Runs in Node's thread pool. NFKC: the same passphrase gives the same bytes on every keyboard. */
function stretch(passphrase: string, { n, r, p, salt }: Header): Promise<Uint8Array> {
  const maxmem = 256 * n * r
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFKC'), fromText(salt), KEY_BYTES, { N: n, r, p, maxmem }, (error, key) =>
      error === null ? resolve(new Uint8Array(key)) : reject(error),
    ),
  )
}

function bound(header: Header): Uint8Array {
  return new TextEncoder().encode(canonicalJson(['master-key', header]))
}

function damaged(what: string): Result<never> {
  return err('record_malformed', { file: PASSPHRASE_FILE, problem: tell('key_setup.file_damaged', { what }) })
}

function nobody(): Result<never> {
  return err('key_unavailable', { file: PASSPHRASE_FILE, problem: tell('key_setup.nobody') })
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function fromText(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}
