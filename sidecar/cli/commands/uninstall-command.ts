/**
 * `pfar uninstall`: removes all that PFAR set up, in the order in which each part still can be removed:
 * backup, service, webhook, edge, key, state folder. Must not start before the owner has typed the
 * confirmation word, or touch what is not PFAR's. Called by local/home.ts.
 */

import { existsSync, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { KEY_FILE } from '../../backup/backup-key.ts'
import { makeBackup } from '../../backup/make.ts'
import { loadConfig } from '../../config/config.ts'
import { removeEdge } from '../../deploy/deploy.ts'
import { createWrangler } from '../../deploy/wrangler.ts'
import { yesIn } from '../../init/answers.ts'
import { readInitRecord } from '../../init/init-record.ts'
import { readCustodyRecord } from '../../keys/custody.ts'
import { masterNote } from '../../keys/key-status.ts'
import { keychain } from '../../keys/keychain.ts'
import { removeService, UNIT_NAME } from '../../service/service.ts'
import { acquireInstanceLock } from '../../store/instance-lock.ts'
import { ASIDE, openStateFolder, type StateFolder } from '../../store/state-folder.ts'
import { loadDeviceKey } from '../../tunnel/device-key.ts'
import { edgeHealth, orderWebhook } from '../../tunnel/edge-health.ts'
import { terminalText } from '../chat/terminal-text.ts'
import { type CommandContext, type ExitCode, fail } from '../command.ts'
import { runningClaim, type StatePaths, statePaths } from '../state-paths.ts'
import { atBackups } from './backup/backup-context.ts'
import { unitsOf } from './service-command.ts'

export interface UninstallOptions {
  /** Also remove the Worker and its database at Cloudflare. */
  readonly edge: boolean
  readonly dryRun: boolean
  /** Continue if the edge cannot be reached. */
  readonly force: boolean
  readonly name?: string
}

type Ask = (question: string) => Promise<string | null>

const WORD = 'uninstall'

interface Installation {
  readonly paths: StatePaths
  readonly folder: StateFolder
  /** Origin of a deployed edge; null without one. */
  readonly edge: string | null
  readonly unit: string | null
}

export async function uninstallCommand(
  context: CommandContext,
  options: UninstallOptions,
  ask: Ask,
): Promise<ExitCode> {
  const { screen } = context
  const found = lookAround(context)
  if (typeof found === 'string') {
    screen.err(found)
    return 1
  }
  screen.out(planOf(found, options).join('\n'))
  if (options.dryRun) {
    screen.out('Nothing was changed.')
    return 0
  }
  if (!(await offerBackup(context, found, ask))) return 1
  if ((await ask(`\nType ${WORD} to remove all of this: `)) !== WORD) {
    screen.err('Nothing was removed.')
    return 1
  }
  return removeAll(context, found, options)
}

/** Returns a sentence if the installation cannot be removed. */
function lookAround(context: CommandContext): Installation | string {
  const { environment } = context
  const paths = statePaths(environment)
  const may = removable(paths.root)
  if (!may.ok) return `${paths.root}: ${String(may.reason.facts['problem'])}. Nothing was removed.`
  // Not opened with `openStateFolder`, which repairs permissions: a folder to be deleted needs no repair, and
  // a dry run changes nothing.
  const folder: StateFolder = { path: paths.root, file: (name) => join(paths.root, name) }
  const config = loadConfig({ ...environment, PFAR_EDGE_URL: undefined }, paths.root)
  const { units } = unitsOf(environment)
  const unit = join(units, UNIT_NAME)
  const edge = config.ok ? config.value.edge : null
  return { paths, folder, edge, unit: existsSync(unit) ? unit : null }
}

function planOf({ paths, edge, unit }: Installation, options: UninstallOptions): readonly string[] {
  const { root, config } = paths
  return [
    'This goes:',
    ...(unit === null ? [] : [`  the service   ${unit}`]),
    ...(edge === null ? [] : [`  the webhook   nobody's bot brings anything to ${edge} any more`]),
    ...(edge !== null && options.edge
      ? [`  the edge      ${edge}, with all that it holds, and its database`]
      : []),
    `  the folder    ${root}, with every memory, key and backup in it`,
    ...(edge !== null && !options.edge ? [`This stays: the edge at ${edge}; --edge removes it, too.`] : []),
    ...[...besides(root), ...(isWithin(config, root) ? [] : [config])].map((path) => `This stays: ${path}`),
  ]
}

/** False if the owner cancelled or the backup failed; then nothing is removed. */
async function offerBackup(context: CommandContext, found: Installation, ask: Ask): Promise<boolean> {
  const into = `${found.paths.root}-last-backup`
  const said = await ask(`\nMake a last backup first, in ${into}? (yes, no)\n[yes] > `)
  if (said === null) return false
  const wanted = said === '' ? true : yesIn(said)
  if (wanted === null) context.screen.err('That was neither yes nor no. Nothing was removed.')
  return wanted === false || (wanted === true && (await lastBackup(context, into)))
}

async function removeAll(
  context: CommandContext,
  found: Installation,
  options: UninstallOptions,
): Promise<ExitCode> {
  const { screen, environment } = context
  if (found.unit !== null) {
    const removed = await removeService(unitsOf(environment))
    if (!removed.ok) return stop(context, `The service could not be removed: ${removed.why}.`)
    screen.out('service  removed')
  }
  // Home must not be running: it would recreate files after its folder is deleted.
  const lock = acquireInstanceLock(found.folder)
  if (!lock.ok || runningClaim(found.paths.lock) !== null)
    return stop(context, 'PFAR runs for this folder: stop `npm start` first.')
  lock.value.release()
  if (found.edge !== null) {
    const told = await removeAtEdge(context, { ...found, edge: found.edge }, options)
    if (told !== null && !options.force)
      return stop(context, `${told} With --force the rest goes all the same.`)
    if (told !== null) screen.err(told)
  }
  const custody = readCustodyRecord(found.folder)
  if (custody.ok && custody.value.kind === 'keychain') {
    const gone = await keychain(custody.value.id).remove()
    if (!gone.ok && !options.force) return fail(context, gone)
  }
  rmSync(found.paths.root, { recursive: true, force: true })
  screen.out(`folder   ${found.paths.root} removed`)
  return 0
}

/** Null if done; otherwise a sentence about what was not. */
async function removeAtEdge(
  { screen, environment }: CommandContext,
  { folder, edge }: Installation & { readonly edge: string },
  options: UninstallOptions,
): Promise<string | null> {
  const device = loadDeviceKey(folder)
  const health = device.ok ? await edgeHealth(edge, device.value) : device
  const hasBot = health.ok && health.value.bot !== null
  const webhook = device.ok && hasBot ? await orderWebhook(edge, device.value, false) : health
  if (hasBot && webhook.ok) screen.out('webhook  removed')
  if (!options.edge) return webhook.ok ? null : 'The edge did not take the webhook away.'
  const removed = await removeEdge(createWrangler(environment), options.name ?? null)
  if (!removed.ok)
    return `Cloudflare kept ${removed.what}. wrangler says: ${terminalText(removed.why).trim() || 'nothing'}.`
  screen.out('edge     removed, with its database')
  return null
}

function stop({ screen }: CommandContext, words: string): ExitCode {
  screen.err(words)
  screen.err('The folder was not touched.')
  return 1
}

const DEVELOPMENT =
  'A backup would open only with dev.key, which goes with the folder: `pfar key init` first, or answer no.'

/** In a separate folder, because the default one is deleted as well. False if no backup was made. */
async function lastBackup(context: CommandContext, into: string): Promise<boolean> {
  const made = await atBackups(context, {}, async ({ state, timezone }) => {
    const folder = openStateFolder(state)
    if (!folder.ok) return folder
    if (!existsSync(folder.value.file(KEY_FILE))) {
      const problem = 'There is no passphrase for backups yet: `pfar backup init` first, or answer no.'
      return err('credential_missing', { problem })
    }
    const key = masterNote(folder.value)
    if (!key.ok) return key
    if (key.value.development) return err('key_unavailable', { problem: DEVELOPMENT })
    const archive = { path: into, create: true }
    const backup = await makeBackup({ folder: folder.value, archive, timezone, edge: null, now: Date.now() })
    if (!backup.ok) return backup
    context.screen.out(`backup   ${join(into, backup.value.name)}`)
    return ok(0)
  })
  return made === 0
}

/** One of these is in every folder in which PFAR ran. Files that other programs also create prove nothing. */
const MARKS = ['device.key', 'home.sqlite'] as const

/** All files that PFAR creates or reads there. Any other file is the owner's and must not be deleted. */
const KNOWN: readonly RegExp[] = [
  /^(?:home|keys|secrets)\.sqlite(?:-wal|-shm|-journal)?$/,
  /^(?:home\.(?:lock|sock|token)|backup\.lock|start\.pid|shown-card)$/,
  /^(?:device|dev|master|backup-sign)\.key$/,
  /^(?:custody|init|edges|copies|backup-key)\.json$/,
  /^(?:config|demo)\.toml$/,
  /^pfar-master\.cred$/,
  /^(?:edge|logs|backups|prompts|backup-tmp|copy-tmp|edge-restore)$/,
  /^edit-[0-9a-f]{16}\.md$/,
]
/** Suffix of a file that was being replaced. */
const DRAFT = /\.(?:new|\d+|[0-9a-f]{12})$/

/** The folder of this program, which cannot delete itself while running. */
const PROGRAM = join(import.meta.dirname, '../../..')

/**
 * Whether the whole folder may be deleted. A wrong `PFAR_HOME` must not cost anybody their files: the folder
 * must be this account's, no link, contain files of PFAR, and contain neither other files nor this program.
 * Refusals: nothing_found, storage_failed.
 */
export function removable(path: string): Result<true> {
  if (!existsSync(path)) return err('nothing_found', { file: path, problem: 'it is not there' })
  const found = lstatSync(path)
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    return kept(path, 'it is no folder of yours; run this as the account whose it is')
  const real = realpathSync(path)
  if ([homedir(), PROGRAM, process.cwd()].some((other) => isWithin(other, real)))
    return kept(path, 'more than PFAR lies in it')
  if (!MARKS.some((name) => existsSync(join(path, name))) && !wasBegun(path))
    return kept(path, 'it does not look like one that PFAR made: there is no key and no database of its own')
  const other = readdirSync(path).find((name) => !isKnown(name))
  return other === undefined
    ? ok(true)
    : kept(path, `${JSON.stringify(other)} in it is none of PFAR's; move it elsewhere first`)
}

/**
 * Whether `pfar init` ran here without a start, so that no key exists yet. The content is checked, because
 * other programs may use the same file name.
 */
function wasBegun(path: string): boolean {
  const record = readInitRecord({ path, file: (name) => join(path, name) })
  return record.ok && (record.value.finished || Object.keys(record.value.answered).length > 0)
}

function isKnown(name: string): boolean {
  return KNOWN.some((pattern) => pattern.test(name) || pattern.test(name.replace(DRAFT, '')))
}

/** Folders beside it that a restore moved aside; they are not deleted. */
function besides(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(basename(path) + ASIDE))
      .map((name) => join(dirname(path), name))
  } catch {
    return []
  }
}

/** Whether `path` is `folder` or inside it. */
export function isWithin(path: string, folder: string): boolean {
  const real = existsSync(path) ? realpathSync(path) : path
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function kept(file: string, problem: string): Result<never> {
  return err('storage_failed', { file, problem })
}
