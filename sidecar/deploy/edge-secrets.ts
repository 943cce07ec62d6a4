/**
 * Which secrets an edge lacks, and new values for them. They are made here, given to Cloudflare once and kept nowhere: an
 * edge whose keys are lost is a new edge, filled again from home. Must not replace one that is there: what it
 * sealed could not be read any more. Called by deploy.ts.
 */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { CODE_LENGTH, codeFrom, codeKey } from '../../kernel/tunnel/pairing.ts'

/** 32 random bytes each, as wrangler.toml says. */
export const EDGE_KEYS = ['EDGE_SEAL_KEY', 'EDGE_TOKEN_KEY', 'EDGE_NAME_KEY', 'EDGE_SIGN_KEY'] as const
const KEY_BYTES = 32

const FIRST_CODE = 'PAIR_CODE_HASH'

export interface NewSecrets {
  /** Names of the keys that are new. */
  readonly keys: readonly string[]
  /** By name, the one-time code's key among them. */
  readonly values: Readonly<Record<string, string>>
  /** For the first device. */
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

/** Names in what `wrangler secret list` prints; null where it is no such list. */
export function secretNames(text: string): readonly string[] | null {
  try {
    const parsed = list.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data.map(({ name }) => name) : null
  } catch {
    return null
  }
}
