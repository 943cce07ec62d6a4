/**
 * `pfar backup init | now | list` (E-13 – E-15). They work on files and need no running home. Must not show content of a backup
 * other than names and sizes. Called by local/home.ts, doctor-command.ts and init-steps.ts.
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
import { prompt, tell } from '../../../language/wording.ts'
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
  return atBackups(context, {}, async ({ state, archive }) => {
    const folder = openStateFolder(state)
    if (!folder.ok) return folder
    if (existsSync(folder.value.file(KEY_FILE)) && !replace) {
      return err('storage_failed', { file: KEY_FILE, problem: tell('backup_setup.there') })
    }
    const key = masterNote(folder.value)
    if (!key.ok) return key
    // A backup must open on a new machine, and a development key cannot be brought there (E-14).
    if (key.value.development)
      return err('key_unavailable', { problem: tell('backup_setup.under_development') })
    screen.err(tell('backup_setup.intro'))
    const given = await askHidden([prompt('backup_setup.passphrase'), prompt('backup_setup.again')])
    if (given === null) return noPassphrase()
    const [passphrase = '', again] = given
    if (passphrase !== again) return err('credential_missing', { problem: tell('backup_setup.differ') })
    const made = await saveKeys(folder.value, passphrase)
    if (!made.ok) return made
    screen.out(tell('backup_setup.made', { folder: archive.path }))
    if (isWithin(folder.value.path, archive.path)) screen.out(tell('backup_setup.same_disk'))
    screen.out(tell('backup_setup.keep_both'))
    return ok(0)
  })
}

function isWithin(folder: string, path: string): boolean {
  return path.startsWith(`${folder}${sep}`)
}

export function backupNow(context: CommandContext): Promise<ExitCode> {
  const { screen } = context
  return atBackups(context, {}, async ({ state, archive, timezone }) => {
    const folder = openStateFolder(state)
    if (!folder.ok) return folder
    const origin = edgeFor(context)
    const edge = origin.ok ? edgeLineOf(folder.value, origin.value) : origin
    if (!edge.ok) return edge
    const made = await makeBackup({
      folder: folder.value,
      archive,
      timezone,
      edge: edge.value,
      now: Date.now(),
    })
    if (!made.ok) return made
    const { name, files, gone, edgeTrouble, brokenAudits, masterKey } = made.value
    screen.out(`${join(archive.path, name)}: ${files.map((file) => file.name).join(', ')}`)
    if (gone.length > 0) screen.out(tell('backup_setup.gone', { list: gone.join(', ') }))
    if (brokenAudits.length > 0) screen.err(`${brokenAudits.join(', ')}: ${wordsFor('audit_broken')}`)
    if (masterKey.development) screen.err(tell('backup_setup.development'))
    if (edgeTrouble !== null) screen.err(`${tell('backup_setup.edge_part')} ${edgeSentence(edgeTrouble)}`)
    return ok(edgeTrouble === null && brokenAudits.length === 0 && !masterKey.development ? 0 : 1)
  })
}

/** The configured edge or the local one; null without one. */
function edgeFor(context: CommandContext): Result<string | null> {
  const edge = usualEdge(context, statePaths(context.environment))
  return !edge.ok && edge.reason.code === 'remote_unavailable' ? ok(null) : edge
}

function edgeSentence(code: ReasonCode): string {
  const why = `(${code.replaceAll('_', ' ')})`
  if (code === 'seal_key_missing') return tell('backup_setup.edge_never', { why })
  if (code === 'remote_unavailable') return tell('backup_setup.edge_silent', { why })
  return `${wordsFor(code)} ${why}`
}

/** Newest first. JSON: `[{name, createdAt, version, bytes, files}]`; a damaged backup has `problem` instead. */
export function backupList(
  context: CommandContext,
  options: ChosenBackup & { readonly json: boolean },
): Promise<ExitCode> {
  const { screen } = context
  return atBackups(context, options, async ({ archive: { path } }) => {
    const rows = await Promise.all((await namesOn(path)).map((name) => describe(path, name)))
    if (options.json) screen.out(JSON.stringify(rows, null, 2))
    else if (rows.length === 0) screen.out(tell('backup_setup.none', { folder: path }))
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

async function describe(archive: string, name: string) {
  const backup = await readBackup(join(archive, name))
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
  if ('problem' in row) return `${row.name}  ${tell('backup_setup.unusable', { problem: row.problem })}`
  const megabytes = (row.bytes / MEGABYTE).toFixed(1)
  return `${row.name}  ${row.createdAt}  ${megabytes} MB  PFAR ${row.version}  ${row.files.join(', ')}`
}
