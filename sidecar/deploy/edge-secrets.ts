/**
 * Determines which secrets an edge lacks, and generates them. They are given to Cloudflare once and stored nowhere: an
 * edge that has lost its keys is a new edge, filled again from home. Must not replace an existing one, because data
 * sealed with it would be unreadable. Called by deploy.ts.
 */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { CODE_LENGTH, codeFrom, codeKey } from '../../kernel/tunnel/pairing.ts'

/** 32 random bytes each, as wrangler.toml requires. */
export const EDGE_KEYS = ['EDGE_SEAL_KEY', 'EDGE_TOKEN_KEY', 'EDGE_NAME_KEY', 'EDGE_SIGN_KEY'] as const
const KEY_BYTES = 32

const FIRST_CODE = 'PAIR_CODE_HASH'

export interface NewSecrets {
  /** Names of the new keys. */
  readonly keys: readonly string[]
  /** Values by name, including the hash of the one-time code. */
  readonly values: Readonly<Record<string, string>>
  /** One-time code for the first device. */
  readonly code: string
}

/** `there`: names of the secrets that the edge has. */
export function newSecrets(there: readonly string[]): NewSecrets {
  const keys = EDGE_KEYS.filter((name) => !there.includes(name))
  const made = keys.map((name) => [name, randomBytes(KEY_BYTES).toString('base64url')] as const)
  const code = codeFrom(randomBytes(CODE_LENGTH))
  const hash = Buffer.from(codeKey(code) ?? []).toString('base64url')
  return { keys, values: { ...Object.fromEntries(made), [FIRST_CODE]: hash }, code }
}

const list = z.array(z.looseObject({ name: z.string() }))

/** Names in the output of `wrangler secret list`; null if it is not such a list. */
export function secretNames(text: string): readonly string[] | null {
  try {
    const parsed = list.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data.map(({ name }) => name) : null
  } catch {
    return null
  }
}
