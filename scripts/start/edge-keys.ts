/**
 * Keys and address of the local edge, kept in one file (0600). Made at the first start and kept from then on: the
 * edge's stored rows are sealed with them. Must not leave the machine. Called by scripts/start.ts.
 */
import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { type EdgeRecord, readEdgeRecord } from '../../sidecar/cli/edge-record.ts'
import { done, type Outcome, trouble } from './outcome.ts'

const KEY_BYTES = 32

/** The record with this run's port. A damaged file is not replaced: its keys may still be saved by hand. */
export function ensureEdgeRecord(path: string, port: number): Outcome<EdgeRecord> {
  const found = readEdgeRecord(path)
  if (!found.ok) {
    return trouble(
      `${path} is damaged. Restore it, or delete it together with its folder to start the edge afresh.`,
    )
  }
  const keys = found.value?.keys ?? { seal: newKey(), token: newKey(), name: newKey() }
  const record: EdgeRecord = { url: `http://127.0.0.1:${port}`, port, keys }
  const draft = `${path}.new`
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
  return done(record)
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url')
}
