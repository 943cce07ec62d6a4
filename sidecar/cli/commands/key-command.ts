/**
 * `pfar key status | init | rotate | recover | forget`. All but `status` require that home is not running and hold its
 * lock. None prints a key or a passphrase; the recovery phrase goes only to the owner's terminal. Called by
 * local/home.ts.
 */
import { existsSync } from 'node:fs'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { parsePrincipalId } from '../../../kernel/task/principal.ts'
import { KEY_FILE } from '../../backup/backup-key.ts'
import { yesIn } from '../../init/answers.ts'
import { type ChosenCustody, initKey, recoverKey, rotateKey } from '../../keys/change-key.ts'
import { noKeyStore, randomOfNode, type Unlocked } from '../../keys/home-keys.ts'
import { custodySentence, keyStatus, masterNote } from '../../keys/key-status.ts'
import { type KeyStore, withKeyStore } from '../../keys/key-store.ts'
import { custodyOpener } from '../../keys/open-custody.ts'
import { askOn, type OwnerTerminal, readPhrase, withTerminal } from '../../keys/owner-terminal.ts'
import { prompt, tell } from '../../language/wording.ts'
import { refusalDetail } from '../../process/start-sentence.ts'
import { type HomeDatabase, openHomeDatabase } from '../../store/home-database.ts'
import { acquireInstanceLock } from '../../store/instance-lock.ts'
import { openStateFolder, type StateFolder, stateFolderPath } from '../../store/state-folder.ts'
import { renderStatus } from '../chat/render.ts'
import type { CommandContext, ExitCode } from '../command.ts'

export type KeyOptions = { readonly json: boolean } & (
  | { readonly what: 'status' | 'rotate' }
  | { readonly what: 'init'; readonly custody: ChosenCustody }
  | { readonly what: 'recover'; readonly custody?: ChosenCustody }
  | { readonly what: 'forget'; readonly principal: string; readonly yes: boolean }
)

interface Work {
  readonly options: KeyOptions
  readonly context: CommandContext
  readonly folder: StateFolder
  readonly store: KeyStore
}

export async function keyCommand(context: CommandContext, options: KeyOptions): Promise<ExitCode> {
  const done = await inFolder(context, options)
  if (done.ok) return 0
  context.screen.err(refusalDetail(done.reason))
  return 1
}

async function inFolder(context: CommandContext, options: KeyOptions): Promise<Result<null>> {
  const folder = openStateFolder(stateFolderPath(context.environment))
  if (!folder.ok) return folder
  if (options.what === 'status') {
    const status = await keyStatus(folder.value, context.environment)
    return status.ok ? say(context, options.json, status.value) : status
  }
  const lock = acquireInstanceLock(folder.value)
  if (!lock.ok) return homeRuns()
  try {
    return await withKeyStore(folder.value, (store) =>
      change({ options, context, folder: folder.value, store }),
    )
  } finally {
    lock.value.release()
  }
}

function change(work: Work): Promise<Result<null>> {
  const { options } = work
  const changed = (terminal: OwnerTerminal | null): Promise<Result<null>> =>
    options.what === 'forget' ? forget(work, options, terminal) : report(work, terminal)
  return options.json ? changed(null) : withTerminal(changed)
}

/** Changes the key and says what is in force now. */
async function report(work: Work, terminal: OwnerTerminal | null): Promise<Result<null>> {
  const { options, context, folder, store } = work
  const before = masterNote(folder)
  const changed = await changeKey(work, terminal)
  if (!changed.ok) return changed
  const { record, unfinished, damaged } = changed.value
  if (unfinished !== null) context.screen.err(tell('key_setup.unfinished', { what: unfinished }))
  if (damaged > 0)
    context.screen.err(
      tell(damaged === 1 ? 'key_setup.damaged_one' : 'key_setup.damaged_many', { count: damaged }),
    )
  if (before.ok && before.value.number !== store.epoch() && existsSync(folder.file(KEY_FILE)))
    context.screen.err(
      tell(before.value.development ? 'key_setup.former_development' : 'key_setup.former_words'),
    )
  const facts = { custody: record.kind, masterKey: store.epoch(), ...store.counts() }
  if (options.json) return say(context, true, facts)
  context.screen.out(
    `${tell(`key_setup.worked_${options.what === 'forget' ? 'status' : options.what}`)} ${custodySentence(record.kind)}.`,
  )
  return ok(null)
}

async function changeKey(work: Work, terminal: OwnerTerminal | null): Promise<Result<Unlocked>> {
  const { options, context, folder, store } = work
  const ask = terminal === null ? async () => null : askOn(terminal)
  const fresh = store.epoch() === 0
  if (fresh && holdsRecords(folder)) return noKeyStore()
  const opener = { folder, env: context.environment, ask, mayCreate: fresh, epoch: store.epoch() }
  const input = { folder, store, openCustody: custodyOpener(opener), random: randomOfNode }
  if (options.what === 'recover') {
    const words = await readPhrase(terminal)
    return words === null ? noTerminal() : recoverKey(input, words, options.custody ?? null)
  }
  if (terminal === null) return noTerminal()
  const asking = { ...input, terminal }
  return options.what === 'init' ? initKey(asking, options.custody) : rotateKey(asking)
}

/** Assumes records if the database cannot be read. */
function holdsRecords(folder: StateFolder): boolean {
  if (!existsSync(folder.file('home.sqlite'))) return false
  return inDatabase(folder, (database) => database.holdsRecords()) ?? true
}

/** Null where there is no database that can be read. */
function inDatabase<T>(folder: StateFolder, work: (database: HomeDatabase) => T): T | null {
  const path = folder.file('home.sqlite')
  const database = existsSync(path) ? openHomeDatabase(path) : null
  if (database?.ok !== true) return null
  try {
    return work(database.value)
  } finally {
    database.value.close()
  }
}

async function forget(
  { context, folder, store }: Work,
  { principal, yes, json }: Extract<KeyOptions, { what: 'forget' }>,
  terminal: OwnerTerminal | null,
): Promise<Result<null>> {
  const known = parsePrincipalId(principal)
  if (!known.ok) return known
  if (!yes) {
    const said = await terminal?.ask(prompt('key_setup.forget', { principal }))
    if (yesIn(said?.trim() ?? '') !== true)
      return err('approval_denied', {
        file: 'pfar key forget',
        problem: tell('key_setup.not_forgotten'),
      })
  }
  const keysDestroyed = store.wrappedKeys.destroy(principal)
  // What no key seals: digests alone, and still theirs.
  inDatabase(folder, ({ feedItems }) => feedItems.forget(principal))
  return say(context, json, { principal, keysDestroyed })
}

function say(context: CommandContext, json: boolean, facts: Readonly<Record<string, unknown>>): Result<null> {
  context.screen.out(json ? JSON.stringify(facts, null, 2) : renderStatus({ place: 'home', ...facts }))
  return ok(null)
}

function homeRuns(): Result<never> {
  return err('storage_failed', {
    file: 'home',
    problem: tell('key_setup.home_runs'),
  })
}

function noTerminal(): Result<never> {
  return err('key_unavailable', {
    file: 'pfar key',
    problem: tell('key_setup.no_terminal'),
  })
}
