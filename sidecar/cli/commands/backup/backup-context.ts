/**
 * Shared parts of the backup and restore commands: locations, messages for refusals, the passphrase. Must not do any
 * command's work. Called by the commands on backups and by `pfar doctor`.
 */
import { join, resolve } from 'node:path'
import { err, ok, type Refusal, type Result } from '../../../../kernel/flow/verdict.ts'
import { type Archive, archiveOf, byAge, isBackupName, namesOn } from '../../../backup/archive.ts'
import { type Backup, readBackup } from '../../../backup/backup.ts'
import { loadConfig } from '../../../config/config.ts'
import { tell } from '../../../language/wording.ts'
import { stateFolderPath } from '../../../store/state-folder.ts'
import type { CommandContext, ExitCode } from '../../command.ts'
import { sentenceFor } from '../../words.ts'

export interface ChosenBackup {
  /** Folder of the backups in place of the configured one: after a loss there is no configuration. */
  readonly from?: string
  /** Name of the backup; the newest if left out. */
  readonly date?: string
}

interface BackupPlaces {
  readonly state: string
  readonly archive: Archive
  readonly timezone: string
}

export function backupPlaces({ environment }: CommandContext, { from }: ChosenBackup): Result<BackupPlaces> {
  const state = stateFolderPath(environment)
  const config = loadConfig(environment, state)
  if (!config.ok) return config
  const { timezone } = config.value.owner
  const archive = from === undefined ? archiveOf(state, config.value) : { path: resolve(from), create: false }
  return ok({ state, archive, timezone })
}

/** Runs a command at these places, and prints its refusal. */
export async function atBackups(
  context: CommandContext,
  chosen: ChosenBackup,
  work: (places: BackupPlaces) => Promise<Result<ExitCode>>,
): Promise<ExitCode> {
  const places = backupPlaces(context, chosen)
  const done = places.ok ? await work(places.value) : places
  return done.ok ? done.value : failBackup(context, done.reason)
}

/** Refusals: nothing_found, those of `readBackup`. */
export async function findBackup(archive: Archive, { date }: ChosenBackup): Promise<Result<Backup>> {
  const names = await namesOn(archive.path)
  const name = date ?? byAge(names)[0]
  if (name !== undefined && isBackupName(name) && names.includes(name))
    return readBackup(join(archive.path, name))
  const problem = tell(date === undefined ? 'backup_setup.empty' : 'backup_setup.no_date')
  return err('nothing_found', { file: archive.path, problem })
}

/** Refusal if no passphrase was typed. */
export function noPassphrase(): Result<never> {
  return err('credential_missing', { problem: tell('backup_setup.no_passphrase') })
}

/** `file: what to do`; without a file, the problem is a sentence. Facts of these refusals are names and fixed phrases. */
export function failBackup({ screen }: CommandContext, reason: Refusal): ExitCode {
  const { file, key = file, problem } = reason.facts
  if (problem === undefined) screen.err(sentenceFor(reason))
  else screen.err(key === undefined ? String(problem) : `${file ?? key}: ${problem} (${reason.code})`)
  return 1
}
