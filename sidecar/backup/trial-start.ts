/**
 * Starts home from a decrypted backup in its own folder, to prove that it can be restored: loads the foundation and
 * opens all records. Starts no listener, job, channel or task, so nothing is sent. Must not run in the owner's state
 * folder. Called by `pfar backup verify --open`.
 */
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { openRecordOf, openTextOf } from '../../kernel/powers/sealed.ts'
import { openText } from '../../kernel/vault/records.ts'
import { createBoot } from '../home/boot.ts'
import { layFoundation } from '../home/foundation.ts'
import { type Wired, wireHome } from '../home/wiring.ts'
import type { Custody } from '../keys/custody.ts'
import { KEY_STORE_FILE } from '../keys/key-store.ts'
import { withDatabase } from '../store/sqlite.ts'

export interface TrialInput {
  /** The decrypted backup. It is written to, as home writes at a start. */
  readonly path: string
  readonly master: Uint8Array
}

/** Numbers of records that opened. Secrets are only counted, because each is opened only for one call. */
export interface Proven {
  readonly turns: number
  readonly facts: number
  /** Tool results in memory. */
  readonly results: number
  /** The owner's directive files. */
  readonly files: number
  readonly secrets: number
}

/** Larger than the number of records in any real folder. */
const ALL = 1_000_000
/**
 * Codes that mean a damaged record. Other refusals existed before the backup: a person who was forgotten, a result
 * whose declaration has changed.
 */
const UNREADABLE = new Set(['record_unreadable', 'record_malformed'])

/** Refusals: those of home's start; record_unreadable if a row does not open. */
export async function trialStart({ path, master }: TrialInput): Promise<Result<Proven>> {
  const onFault = (): void => undefined
  const boot = createBoot({ clock: () => performance.now(), fault: onFault, cameLate: onFault })
  const openCustody = (): Custody => borrowedKey(master)
  // Only the folder comes from the environment: the owner's configuration path and credentials belong to another
  // home.
  const env = { PFAR_HOME: path }
  const laid = await layFoundation(boot, { env, ask: async () => null, onFault, openCustody })
  if (!laid.ok) return laid
  try {
    const wired = await boot.need('A', 'templates and policy', () => wireHome(laid.value, onFault))
    if (!wired.ok) return wired
    try {
      wired.value.powers.self.touch('startup')
      return await openAll(wired.value, path)
    } finally {
      wired.value.channels.stop()
      await wired.value.closeTools()
    }
  } finally {
    laid.value.close()
  }
}

/** A custody with one fixed key for this start. It cannot be written. */
function borrowedKey(master: Uint8Array): Custody {
  const fixed = async () => err('key_unavailable', { file: KEY_STORE_FILE, problem: 'it is only tried' })
  return { kind: 'passphrase', read: async () => ok([master.slice()]), write: fixed, remove: fixed }
}

async function openAll({ powers, database, secrets }: Wired, path: string): Promise<Result<Proven>> {
  const { store } = powers
  const people = principalsIn(join(path, 'home.sqlite'))
  const turns = people.flatMap((person) => store.earlierTurns(person, { limit: ALL, archivedOnly: false }))
  const facts = people.flatMap((person) => store.facts(person, ALL))
  const results = people.flatMap((person) => [
    ...store.workingMemory(person, ALL),
    ...store.archivedMemory(person, ALL),
  ])
  const files = database.directives.current()
  const spoken = turns.flatMap(({ words, answer }) => [words, ...(answer === null ? [] : [answer])])
  const opened = [
    ...(await each([...spoken, ...facts.map(({ ref }) => ref)], (ref) => openTextOf(powers, ref))),
    ...(await each(results, ({ ref }) => openRecordOf(powers, ref))),
    ...(await each(files, ({ ref, row }) => openText(powers.sealer, ref, row))),
  ]
  const unreadable = opened.filter((one) => !one.ok && UNREADABLE.has(one.reason.code)).length
  if (unreadable > 0) {
    const problem = `${unreadable} of its ${opened.length} sealed records do not open`
    return err('record_unreadable', { file: 'home.sqlite', problem })
  }
  const counts = { turns: turns.length, facts: facts.length, results: results.length, files: files.length }
  return ok({ ...counts, secrets: secrets.rows().length })
}

async function each<T>(
  all: readonly T[],
  open: (one: T) => Promise<Result<unknown>>,
): Promise<readonly Result<unknown>[]> {
  const opened: Result<unknown>[] = []
  for (const one of all) opened.push(await open(one))
  return opened
}

/** Every principal that has records in memory; home itself never needs this list. */
function principalsIn(path: string): readonly string[] {
  const all =
    'select principal from turns union select principal from facts union select principal from memory'
  const rows = withDatabase(path, (database) => database.prepare(all).all())
  return rows.map(({ principal }) => String(principal))
}
