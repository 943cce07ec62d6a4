/**
 * `pfar restore`: restores a state folder from a backup and its passphrase (E-16). Must not touch the state folder
 * before everything was checked. Called by program.ts.
 */
import { restoreBackup } from '../../backup/restore.ts'
import type { MasterNote } from '../../keys/master-note.ts'
import { askPassphrases, backupPlaces, failBackup, findBackup, noPassphrase } from '../backup-context.ts'
import type { CommandContext, ExitCode } from '../command.ts'

export interface RestoreOptions {
  readonly from: string | null
  readonly date: string | null
  readonly replace: boolean
  readonly dryRun: boolean
}

/** Where to get the key of the rows, which is in no backup. */
function masterKeySentence({ number, development }: MasterNote, state: string): string {
  if (development)
    return `This backup was made under a development key, which has no words: before you start PFAR, put the dev.key of that machine into ${state}. Without it nothing in the backup can be read.`
  return number === 0
    ? 'There was no master key yet when it was made: nothing in it is sealed.'
    : 'The master key is in no backup: before you start PFAR, `pfar key recover --custody passphrase` (or keychain, systemd) with the 24 words that it had when the backup was made.'
}

/** Shown once; an edge that still exists needs nothing. */
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
  if (passphrase === undefined) return failBackup(context, noPassphrase())
  const now = Date.now()
  const restored = await restoreBackup({ state, backup: backup.value, passphrase, replace, dryRun, now })
  if (!restored.ok) return failBackup(context, restored.reason)
  const { files, aside, masterKey } = restored.value
  const { screen } = context
  if (dryRun)
    screen.out(`Would restore ${backup.value.name} into ${state}: ${files.join(', ')}. Nothing was changed.`)
  else screen.out(`Restored ${backup.value.name} into ${state}: ${files.join(', ')}`)
  if (aside !== null) screen.out(`What was there is in ${aside}`)
  screen.out(masterKeySentence(masterKey, state))
  if (!dryRun && backup.value.manifest.files.some(({ kind }) => kind === 'edge')) screen.out(EDGE)
  return 0
}
