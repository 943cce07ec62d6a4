/**
 * Progress of `pfar init`, in a file of the state folder (0600): the questions answered, and the settings it wrote, so that it
 * changes no others. Must not hold a secret, or words that are not in the configuration. Called by `pfar init` and the first
 * conversation.
 */

import * as z from 'zod/mini'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { readJson } from '../store/json.ts'
import { readPrivateFile, replacePrivateFile, type StateFolder } from '../store/state-folder.ts'

export const INIT_FILE = 'init.json'

/** The step that asks what the owner and the assistant are called. */
export const NAMES_STEP = 'names'

/** UTF-16 units. */
const MOST = 400
const words = z.string().check(z.maxLength(MOST))

const schema = z.strictObject({
  version: z.literal(1),
  /** All questions were asked. */
  finished: z.boolean(),
  /** The result of each step, in words. The steps are the wizard's own: a list of them here would refuse the record of one it lacks. */
  answered: z.record(words, words),
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

export type InitKeeper = ReturnType<typeof initKeeper>

/** Stores progress after every answer. */
export function initKeeper(folder: StateFolder, before: InitRecord) {
  let record = before
  const change = (changed: Partial<InitRecord>): void => {
    record = { ...record, ...changed }
    writeInitRecord(folder, record)
  }
  return {
    /** All questions were asked in an earlier run. */
    isAgain: before.finished,
    said: (step: string) => record.answered[step] ?? null,
    keep: (step: string, says: string) => change({ answered: { ...record.answered, [step]: says } }),
    of: (name: string) => record.wrote[name] ?? null,
    note(name: string, value: string | null) {
      const { [name]: _former, ...others } = record.wrote
      change({ wrote: value === null ? others : { ...others, [name]: value } })
    },
    /** Once everything was asked, a new run asks the postponed questions again. */
    begin() {
      if (record.finished) change({ answered: {} })
    },
    finish: () => change({ finished: true }),
  }
}

/** Whether `pfar init` asked all of the owner's questions in this folder; then the first conversation asks none. */
export function wasAsked(folder: StateFolder): boolean {
  const record = readInitRecord(folder)
  return record.ok && record.value.finished && record.value.answered[NAMES_STEP] !== undefined
}
