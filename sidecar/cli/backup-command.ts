/**
 * `pfar backup init | now | list | verify` (E-13 – E-16). They work on files and need no running home. Must not show
 * what a backup holds, but names and sizes. Called by program.ts.
 */
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allowed, type ReasonCode, type Result, refused } from '../../kernel/flow/verdict.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { createBackupKey, KEY_FILE, SIGN_FILE } from '../backup/backup-key.ts'
import { edgeLineOf } from '../backup/edge-line.ts'
import { loadBackupKey, makeBackup } from '../backup/make.ts'
import { type Backup, openBackup, readBackup, verifyFiles, WHOLE } from '../backup/open-backup.ts'
import { namesOn } from '../backup/shelf.ts'
import { withStorage } from '../backup/storage-trouble.ts'
import { openStateFolder, type StateFolder } from '../state-folder.ts'
import { askPassphrases, backupPlaces, failBackup, findBackup } from './backup-context.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usualEdge } from './own-device.ts'
import { statePaths } from './state-paths.ts'

const MEGABYTE = 1_048_576

/** Makes the keys. Older backups keep the passphrase that they were made under. */
export async function backupInit(context: CommandContext, replace: boolean): Promise<ExitCode> {
  const places = backupPlaces(context, null)
  if (!places.ok) return failBackup(context, places.reason)
  const folder = openStateFolder(places.value.state)
  if (!folder.ok) return failBackup(context, folder.reason)
  if (existsSync(folder.value.file(KEY_FILE)) && !replace) {
    const problem = 'there is a backup key already; --replace makes a new one for the backups to come'
    return failBackup(context, { code: 'storage_failed', facts: { file: KEY_FILE, problem } })
  }
  context.screen.err(
    'Whoever has a backup and this passphrase has everything in it. Without it no backup opens.',
  )
  const given = await askPassphrases(['Passphrase: ', 'The same again: '])
  if (given === null || given[0] !== given[1]) {
    const problem = given === null ? 'no passphrase was given' : 'the two passphrases differ'
    return failBackup(context, { code: 'credential_missing', facts: { file: KEY_FILE, problem } })
  }
  const made = await saveKeys(folder.value, given[0] ?? '')
  if (!made.ok) return failBackup(context, made.reason)
  context.screen.out(`Backups are made every day at 03:00 into ${places.value.shelf.path}`)
  return 0
}

export async function backupNow(context: CommandContext): Promise<ExitCode> {
  const places = backupPlaces(context, null)
  if (!places.ok) return failBackup(context, places.reason)
  const { state, shelf, timezone } = places.value
  const folder = openStateFolder(state)
  if (!folder.ok) return failBackup(context, folder.reason)
  const origin = edgeFor(context)
  const edge = origin.ok ? edgeLineOf(folder.value, origin.value) : origin
  if (!edge.ok) return failBackup(context, edge.reason)
  const made = await makeBackup({
    ...{ folder: folder.value, shelf, timezone, edge: edge.value },
    now: Date.now(),
  })
  if (!made.ok) return failBackup(context, made.reason)
  const { name, files, gone, edgeTrouble, brokenAudits } = made.value
  context.screen.out(`${join(shelf.path, name)}: ${files.map((file) => file.name).join(', ')}`)
  if (gone.length > 0) context.screen.out(`Let go: ${gone.join(', ')}`)
  if (brokenAudits.length > 0) context.screen.err(`${brokenAudits.join(', ')}: ${wordsFor('audit_broken')}`)
  if (edgeTrouble === null) return brokenAudits.length === 0 ? 0 : 1
  context.screen.err(`What the edge holds is not in it, or not all. ${edgeSentence(edgeTrouble)}`)
  return 1
}

/** The configured edge or the local one; null where there is none. */
function edgeFor(context: CommandContext): Result<string | null> {
  const edge = usualEdge(context, statePaths(context.environment))
  return !edge.ok && edge.reason.code === 'remote_unavailable' ? allowed(null) : edge
}

function edgeSentence(code: ReasonCode): string {
  const why = `(${code.replaceAll('_', ' ')})`
  if (code === 'seal_key_missing') return `Home has not been connected to it yet ${why}.`
  if (code === 'remote_unavailable') return `It did not answer ${why}.`
  return `${wordsFor(code)} ${why}`
}

/** Newest first. JSON: `[{name, createdAt, version, bytes, files}]`, and `problem` in place of them for a bad one. */
export async function backupList(context: CommandContext, options: ListOptions): Promise<ExitCode> {
  const places = backupPlaces(context, options.from)
  if (!places.ok) return failBackup(context, places.reason)
  const { path } = places.value.shelf
  const rows = await Promise.all((await namesOn(path)).map((name) => describe(path, name)))
  if (options.json) context.screen.out(JSON.stringify(rows, null, 2))
  else if (rows.length === 0) context.screen.out(`No backup in ${path}. pfar backup now makes one.`)
  else for (const row of rows) context.screen.out(renderRow(row))
  return 0
}

export interface ListOptions {
  readonly from: string | null
  readonly json: boolean
}

export interface VerifyOptions {
  readonly from: string | null
  readonly date: string | null
  readonly open: boolean
}

/** Without the passphrase: hashes and signature. With it (`--open`): every file is decrypted and every store checked. */
export async function backupVerify(context: CommandContext, options: VerifyOptions): Promise<ExitCode> {
  const places = backupPlaces(context, options.from)
  if (!places.ok) return failBackup(context, places.reason)
  const backup = await findBackup(places.value.shelf, options.date)
  if (!backup.ok) return failBackup(context, backup.reason)
  const checked = options.open
    ? await openForCheck(backup.value)
    : await checkClosed(places.value.state, backup.value)
  if (!checked.ok) return failBackup(context, checked.reason)
  context.screen.out(`${backup.value.name}: ${checked.value}`)
  return 0
}

async function checkClosed(state: string, backup: Backup): Promise<Result<string>> {
  const whole = await verifyFiles(backup)
  if (!whole.ok) return whole
  const folder = existsSync(state) ? openStateFolder(state) : null
  const own = folder?.ok ? loadBackupKey(folder.value) : null
  const isOurs = own?.ok === true && own.value.verify === backup.key.verify
  return allowed(
    isOurs
      ? 'complete, unaltered and signed by this home'
      : 'complete; signed by the key beside it, which only the passphrase can confirm (--open)',
  )
}

async function openForCheck(backup: Backup): Promise<Result<string>> {
  const given = await askPassphrases(['Passphrase: '])
  if (given === null) {
    return refused('credential_missing', { file: KEY_FILE, problem: 'no passphrase was given' })
  }
  return withStorage(backup.name, async () => {
    const into = await mkdtemp(join(tmpdir(), 'pfar-verify-'))
    try {
      const opened = await openBackup(backup, given[0] ?? '', { into, part: WHOLE })
      return opened.ok ? allowed('opens with this passphrase, and every store in it is whole') : opened
    } finally {
      await rm(into, { recursive: true, force: true })
    }
  })
}

/** The signing key first: a public key without it makes no backups, and says so. */
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
    return allowed(true)
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
