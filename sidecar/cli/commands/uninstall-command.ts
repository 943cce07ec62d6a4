/**
 * `pfar uninstall`: removes all that PFAR set up, in the order in which each part still can be removed: backup,
 * service, webhook, edge, key, state folder. Must not start before the owner has typed the confirmation word, or touch
 * what is not PFAR's. Called by local/setup.ts.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../config/config.ts'
import { removeEdge } from '../../deploy/remove-edge.ts'
import { createWrangler } from '../../deploy/wrangler.ts'
import { yesIn } from '../../init/answers.ts'
import { readCustodyRecord } from '../../keys/custody-record.ts'
import { keychain } from '../../keys/keychain.ts'
import { removeService } from '../../service/service.ts'
import { UNIT_NAME } from '../../service/unit.ts'
import { acquireInstanceLock } from '../../store/instance-lock.ts'
import type { StateFolder } from '../../store/state-folder.ts'
import { loadDeviceKey } from '../../tunnel/device-key.ts'
import { edgeHealth, orderWebhook } from '../../tunnel/edge-health.ts'
import { besides, isWithin, removable } from '../../uninstall/plan.ts'
import { terminalText } from '../chat/terminal-text.ts'
import { type CommandContext, type ExitCode, fail } from '../command.ts'
import { lastBackup } from '../last-backup.ts'
import { runningClaim } from '../start-claim.ts'
import { type StatePaths, statePaths } from '../state-paths.ts'
import { unitsOf } from './service-command.ts'

export interface UninstallOptions {
  /** Also remove the Worker and its database at Cloudflare. */
  readonly edge: boolean
  readonly dryRun: boolean
  /** Continue if the edge cannot be reached. */
  readonly force: boolean
  readonly name?: string
}

export type Ask = (question: string) => Promise<string | null>

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
  // Not opened with `openStateFolder`, which repairs permissions: a folder to be deleted needs no repair, and a dry
  // run changes nothing.
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
