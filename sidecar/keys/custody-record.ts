/**
 * `custody.json`: which custody holds the master key of this folder. Not secret: a kind, and the id of this folder's
 * entry in a keychain. Without the file it is the development key. Called by unlock.ts and by `pfar key`.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { readPrivateFile, type StateFolder } from '../store/state-folder.ts'
import { CUSTODY_KINDS } from './custody.ts'
import { replacePrivateFile } from './private-file.ts'

export const CUSTODY_FILE = 'custody.json'

const kind = z.enum(CUSTODY_KINDS)

const schema = z.strictObject({
  version: z.literal(1),
  kind,
  /** Random; distinguishes the entries of two folders in one keychain. */
  id: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  /** The former custody, until its keys have been removed. */
  from: z.optional(z.strictObject({ kind, id: z.string() })),
})

export type CustodyRecord = z.output<typeof schema>

const DEVELOPMENT: CustodyRecord = { version: 1, kind: 'development', id: '0'.repeat(16) }

/** Refusals: storage_failed (mode, owner), record_malformed. */
export function readCustodyRecord(folder: StateFolder): Result<CustodyRecord> {
  const text = readPrivateFile(folder, CUSTODY_FILE)
  if (text === null) return ok(DEVELOPMENT)
  if (!text.ok) return text
  const parsed = schema.safeParse(parse(text.value))
  if (parsed.success) return ok(parsed.data)
  const problem =
    'it is damaged; it only names what holds the master key: write it anew with `pfar key recover --custody <kind>` and your 24 words'
  return err('record_malformed', { file: CUSTODY_FILE, problem })
}

export function writeCustodyRecord(folder: StateFolder, record: CustodyRecord): Result<null> {
  return replacePrivateFile(folder, CUSTODY_FILE, `${JSON.stringify(record)}\n`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
