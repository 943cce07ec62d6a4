/**
 * `pfar backup init | now | list` (E-13 – E-15). They work on files and need no running home. Must not show content of
 * a backup other than names and sizes. Called by program.ts.
 */
import { existsSync } from 'node:fs'
import { chmod, rename, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { err, ok, type Result } from '../../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../../kernel/reasons.ts'
import { wordsFor } from '../../../../kernel/wording/words.ts'
import { namesOn } from '../../../backup/archive.ts'
import { readBackup } from '../../../backup/backup.ts'
import { createBackupKey, KEY_FILE, SIGN_FILE } from '../../../backup/backup-key.ts'
import { edgeLineOf } from '../../../backup/edge-transfer.ts'
import { makeBackup } from '../../../backup/make.ts'
import { masterNote } from '../../../keys/key-status.ts'
import { openStateFolder, type StateFolder } from '../../../store/state-folder.ts'
import { withStorage } from '../../../store/storage-trouble.ts'
import type { CommandContext, ExitCode } from '../../command.ts'
import { askHidden } from '../../hidden-input.ts'
import { usualEdge } from '../../line/own-edge.ts'
import { statePaths } from '../../state-paths.ts'
import { atBackups, type ChosenBackup, noPassphrase } from './backup-context.ts'

const MEGABYTE = 1_048_576

/** Creates the keys. Older backups keep the passphrase that they were made with. */
export function backupInit(context: CommandContext, replace: boolean): Promise<ExitCode> {
  const { screen } = context
  return atBackups(context, {}, async ({ state, shelf }) => {
    const folder = openStateFolder(state)
    if (!folder.ok) return folder
    if (existsSync(folder.value.file(KEY_FILE)) && !replace) {
      const problem = 'there is a backup key already; --replace makes a new one for the backups to come'
      return err('storage_failed', { file: KEY_FILE, problem })
    }
    const key = masterNote(folder.value)
    if (!key.ok) return key
    if (key.value.development) return err('key_unavailable', { problem: UNDER_DEVELOPMENT })
    screen.err('Whoever has a backup and this passphrase has everything in it. Without it no backup opens.')
    const given = await askHidden(['Passphrase: ', 'The same again: '])
    if (given === null) return noPassphrase()
    const [passphrase = '', again] = given
    if (passphrase !== again) return err('credential_missing', { problem: 'The two passphrases differ.' })
    const made = await saveKeys(folder.value, passphrase)
    if (!made.ok) return made
    screen.out(`Backups are made every day at 03:00 into ${shelf.path}`)
    if (isWithin(folder.value.path, shelf.path)) screen.out(SAME_DISK)
    screen.out(
      'On a new machine one opens with this passphrase and the 24 words of the master key: keep both elsewhere.',
    )
    return ok(0)
  })
}

const SAME_DISK =
  'That is the disk that they save: if it is lost, both are. To name a folder of another disk, write under [backup] in config.toml: folder = "/media/backup/pfar"'

function isWithin(folder: string, path: string): boolean {
  return path.startsWith(`${folder}${sep}`)
}

/** A backup must open on a new machine, and a development key cannot be brought there (E-14). */
const UNDER_DEVELOPMENT =
  'Backups need a master key that you can bring to a new machine, and this home has a development key: `pfar key init` first, which shows you 24 words to write down. Then `pfar backup init`.'

export function backupNow(context: CommandContext): Promise<ExitCode> {
  const { screen } = context
  return atBackups(context, {}, async ({ state, shelf, timezone }) => {
    const folder = openStateFolder(state)
    if (!folder.ok) return folder
    const origin = edgeFor(context)
    const edge = origin.ok ? edgeLineOf(folder.value, origin.value) : origin
    if (!edge.ok) return edge
    const made = await makeBackup({
      folder: folder.value,
      shelf,
      timezone,
      edge: edge.value,
      now: Date.now(),
    })
    if (!made.ok) return made
    const { name, files, gone, edgeTrouble, brokenAudits, masterKey } = made.value
    screen.out(`${join(shelf.path, name)}: ${files.map((file) => file.name).join(', ')}`)
    if (gone.length > 0) screen.out(`Let go: ${gone.join(', ')}`)
    if (brokenAudits.length > 0) screen.err(`${brokenAudits.join(', ')}: ${wordsFor('audit_broken')}`)
    if (masterKey.development) screen.err(DEVELOPMENT_BACKUP)
    if (edgeTrouble !== null)
      screen.err(`What the edge holds is not in it, or not all. ${edgeSentence(edgeTrouble)}`)
    return ok(edgeTrouble === null && brokenAudits.length === 0 && !masterKey.development ? 0 : 1)
  })
}

const DEVELOPMENT_BACKUP =
  'It opens only with the dev.key of this machine, which is in no backup: keep a copy of it elsewhere, or `pfar key init` and then `pfar backup now`.'

/** The configured edge or the local one; null without one. */
function edgeFor(context: CommandContext): Result<string | null> {
  const edge = usualEdge(context, statePaths(context.environment))
  return !edge.ok && edge.reason.code === 'remote_unavailable' ? ok(null) : edge
}

function edgeSentence(code: ReasonCode): string {
  const why = `(${code.replaceAll('_', ' ')})`
  if (code === 'seal_key_missing') return `Home has not been connected to it yet ${why}.`
  if (code === 'remote_unavailable') return `It did not answer ${why}.`
  return `${wordsFor(code)} ${why}`
}

/** Newest first. JSON: `[{name, createdAt, version, bytes, files}]`; a damaged backup has `problem` instead. */
export function backupList(
  context: CommandContext,
  options: ChosenBackup & { readonly json: boolean },
): Promise<ExitCode> {
  const { screen } = context
  return atBackups(context, options, async ({ shelf: { path } }) => {
    const rows = await Promise.all((await namesOn(path)).map((name) => describe(path, name)))
    if (options.json) screen.out(JSON.stringify(rows, null, 2))
    else if (rows.length === 0) screen.out(`No backup in ${path}. pfar backup now makes one.`)
    else for (const row of rows) screen.out(renderRow(row))
    return ok(0)
  })
}

/** Writes the signing key first: if the second write fails, no backup can be made and the error says so. */
async function saveKeys(folder: StateFolder, passphrase: string): Promise<Result<true>> {
  const made = createBackupKey({ passphrase, now: Date.now() })
  if (!made.ok) return made
  return withStorage(KEY_FILE, async () => {
    const contents = [
      [SIGN_FILE, made.value.signing],
      [KEY_FILE, `${JSON.stringify(made.value.key, null, 2)}\n`],
    ] as const
    for (const [name, content] of contents) {
      const draft = folder.file(`${name}.new`)
      await writeFile(draft, content, { mode: 0o600, flush: true })
      await chmod(draft, 0o600)
      await rename(draft, folder.file(name))
    }
    return ok(true)
  })
}

async function describe(shelf: string, name: string) {
  const backup = await readBackup(join(shelf, name))
  if (!backup.ok) return { name, problem: String(backup.reason.facts['problem'] ?? backup.reason.code) }
  const { createdAt, version, files } = backup.value.manifest
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return {
    name,
    createdAt: new Date(createdAt).toISOString(),
    version,
    bytes,
    files: files.map((file) => file.name),
  }
}

function renderRow(row: Awaited<ReturnType<typeof describe>>): string {
  if ('problem' in row) return `${row.name}  unusable: ${row.problem}`
  const megabytes = (row.bytes / MEGABYTE).toFixed(1)
  return `${row.name}  ${row.createdAt}  ${megabytes} MB  PFAR ${row.version}  ${row.files.join(', ')}`
}
