/**
 * Progress of `pfar init`, in a file of the state folder (0600): the questions answered, and the settings it wrote, so
 * that it changes no others. Must not hold a secret, or words that are not in the configuration. Called by wizard.ts.
 */

import * as z from 'zod/mini'
import { CHANNELS } from '../../integrations/channels/index.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { readJson } from '../store/json.ts'
import { readPrivateFile, replacePrivateFile, type StateFolder } from '../store/state-folder.ts'

export const INIT_FILE = 'init.json'

/** Followed by the channels that can run at the edge, under their own names. */
const STEP_NAMES: readonly string[] = [
  ...['language', 'assistant', 'zone', 'model', 'key', 'mail', 'google', 'edge'],
  ...CHANNELS.flatMap(({ name, edge }) => (edge === null ? [] : name)),
  ...['cloud', 'service'],
]

/** UTF-16 units. */
const MOST = 400
const words = z.string().check(z.maxLength(MOST))

const schema = z.strictObject({
  version: z.literal(1),
  /** All questions were asked. */
  finished: z.boolean(),
  /** The result of each step, in words. */
  answered: z.partialRecord(z.enum(STEP_NAMES), words),
  /** By table and key, such as `owner.timezone`, or `model` for an added table. */
  wrote: z.record(words, words),
})

export type InitRecord = z.output<typeof schema>

const NEW: InitRecord = { version: 1, finished: false, answered: {}, wrote: {} }

/** A damaged file counts as missing: all settings are then the owner's own. Refusal: storage_failed (mode, owner). */
export function readInitRecord(folder: StateFolder): Result<InitRecord> {
  const text = readPrivateFile(folder, INIT_FILE)
  if (text === null) return ok(NEW)
  if (!text.ok) return text
  return ok(readJson(schema, text.value) ?? NEW)
}

export function writeInitRecord(folder: StateFolder, record: InitRecord): Result<null> {
  return replacePrivateFile(folder, INIT_FILE, `${JSON.stringify(record)}\n`)
}

/** Whether `pfar init` was completed in this folder; the first conversation then asks no questions. */
export function wasSetUp(folder: StateFolder): boolean {
  const record = readInitRecord(folder)
  return record.ok && record.value.finished
}
