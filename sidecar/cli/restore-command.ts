/**
 * `pfar restore`: a state folder from a backup and its passphrase (E-16). Must not touch the state folder before
 * everything was checked. Called by program.ts.
 */
import { KEY_FILE } from '../backup/backup-key.ts'
import { restoreBackup } from '../backup/restore.ts'
import { askPassphrases, backupPlaces, failBackup, findBackup } from './backup-context.ts'
import type { CommandContext, ExitCode } from './command.ts'

export interface RestoreOptions {
  readonly from: string | null
  readonly date: string | null
  readonly replace: boolean
  readonly dryRun: boolean
}

/** The one place that says where the key of the rows comes from: it is in no backup. */
const MASTER_KEY =
  'The master key is in no backup: `pfar key recover --custody …` with its 24 words (a development key: put dev.key back) before you start PFAR.'

/** What is not said twice: an edge that is still there needs nothing. */
const EDGE =
  'If the edge is lost too: once home runs beside a new one, `pfar restore --edge`, before the first message there.'

export async function restoreCommand(context: CommandContext, options: RestoreOptions): Promise<ExitCode> {
  const { dryRun, replace } = options
  const places = backupPlaces(context, options.from)
  if (!places.ok) return failBackup(context, places.reason)
  const { state, shelf } = places.value
  const backup = await findBackup(shelf, options.date)
  if (!backup.ok) return failBackup(context, backup.reason)
  const given = await askPassphrases([`Passphrase of the backup ${backup.value.name}: `])
  const passphrase = given?.[0]
  if (passphrase === undefined) {
    const facts = { file: KEY_FILE, problem: 'no passphrase was given' }
    return failBackup(context, { code: 'credential_missing', facts })
  }
  const now = Date.now()
  const restored = await restoreBackup({ state, backup: backup.value, passphrase, replace, dryRun, now })
  if (!restored.ok) return failBackup(context, restored.reason)
  const { files, aside } = restored.value
  const { screen } = context
  if (dryRun)
    screen.out(`Would restore ${backup.value.name} into ${state}: ${files.join(', ')}. Nothing was changed.`)
  else screen.out(`Restored ${backup.value.name} into ${state}: ${files.join(', ')}`)
  if (aside !== null) screen.out(`What was there is in ${aside}`)
  if (!dryRun) screen.out(MASTER_KEY)
  if (!dryRun && backup.value.manifest.files.some(({ kind }) => kind === 'edge')) screen.out(EDGE)
  return 0
}
