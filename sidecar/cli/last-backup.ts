/**
 * Makes a backup before home is deleted, in a separate folder, because the default one is deleted as well. Must not
 * change home. Called by `pfar uninstall`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_FILE } from '../backup/backup-key.ts'
import { edgeLineOf } from '../backup/edge-line.ts'
import { makeBackup } from '../backup/make.ts'
import { masterNote } from '../keys/master-note.ts'
import { openStateFolder } from '../store/state-folder.ts'
import { backupPlaces, failBackup } from './backup-context.ts'
import type { CommandContext } from './command.ts'

const DEVELOPMENT =
  'A backup would open only with dev.key, which goes with the folder: `pfar key init` first, or answer no.'

/** False if no backup was made. */
export async function lastBackup(context: CommandContext, into: string): Promise<boolean> {
  const places = backupPlaces(context, null)
  const folder = places.ok ? openStateFolder(places.value.state) : places
  if (!places.ok || !folder.ok) return told(context, places.ok ? folder : places)
  if (!existsSync(folder.value.file(KEY_FILE))) {
    context.screen.err('There is no passphrase for backups yet: `pfar backup init` first, or answer no.')
    return false
  }
  const key = masterNote(folder.value)
  if (!key.ok) return told(context, key)
  if (key.value.development) {
    context.screen.err(DEVELOPMENT)
    return false
  }
  const edge = edgeLineOf(folder.value, null)
  if (!edge.ok) return told(context, edge)
  const made = await makeBackup({
    ...{ folder: folder.value, shelf: { path: into, create: true }, timezone: places.value.timezone },
    ...{ edge: edge.value, now: Date.now() },
  })
  if (!made.ok) return told(context, made)
  context.screen.out(`backup   ${join(into, made.value.name)}`)
  return true
}

function told(
  context: CommandContext,
  failed: { readonly ok: boolean; readonly reason?: Parameters<typeof failBackup>[1] },
): false {
  if (failed.reason !== undefined) failBackup(context, failed.reason)
  return false
}
