/**
 * Address and keys of the local edge, in a file (0600) of the state folder. Written by `npm start`; read by it and by
 * the open line. Must not create keys: scripts/start/edge-keys.ts does.
 */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

/** 32 bytes, base64url. */
const key = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))

const record = z.strictObject({
  url: z.string().check(z.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/)),
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  /** `sign` was added later: a record without it gets one at the next start. */
  keys: z.strictObject({ seal: key, token: key, name: key, sign: z.optional(key) }),
})

export type EdgeRecord = z.infer<typeof record>

/** Null if it does not exist; `config_malformed` if it is damaged. */
export function readEdgeRecord(path: string): Result<EdgeRecord | null> {
  const text = readIfThere(path)
  if (text === null) return ok(null)
  try {
    const parsed = record.safeParse(JSON.parse(text))
    return parsed.success ? ok(parsed.data) : err('config_malformed', { file: 'edge.json' })
  } catch {
    return err('config_malformed', { file: 'edge.json' })
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
