/**
 * `pfar doctor`: reports what works in this installation, what does not, and what to do. Checks the machine,
 * asks home about models and link, and the edge about itself. Must change only what `--fix` names; prints
 * names, numbers, fixed sentences and the bot service's last error. Called by local/home.ts.
 */

import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CHANNELS, EDGE_CHAT } from '../../../integrations/channels/index.ts'
import { askNames } from '../../../kernel/features/models/operations/names.ts'
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import { newestBackup } from '../../backup/archive.ts'
import { KEY_FILE } from '../../backup/backup-key.ts'
import { loadConfig } from '../../config/config.ts'
import { takenFindings } from '../../config/taken-names.ts'
import { probeSandbox } from '../../confined/sandbox.ts'
import { accountFindings } from '../../doctor/account-words.ts'
import { bad, type Finding, good, MENDS, type Mend, note } from '../../doctor/finding.ts'
import { lookAtMachine, openFiles } from '../../doctor/machine-look.ts'
import { edgeModelFindings, modelFindings } from '../../doctor/model-words.ts'
import {
  backupFinding,
  CONNECTS,
  configFindings,
  containerFinding,
  edgeFindings,
  lineFindings,
  sandboxFinding,
  sandboxSaid,
  tunnelFinding,
} from '../../doctor/surroundings-look.ts'
import { masterNote } from '../../keys/key-status.ts'
import { hasEdgeProgram, isOnPath, NO_EDGE_PROGRAM, startCommand } from '../../process/installed-parts.ts'
import { openStateFolder } from '../../store/state-folder.ts'
import { diskRefusal } from '../../store/storage-trouble.ts'
import { edgeHealth, orderWebhook } from '../../tunnel/edge-health.ts'
import { terminalLine } from '../chat/terminal-text.ts'
import { type CommandContext, type ExitCode, withLink } from '../command.ts'
import type { Link, PlaceStatus } from '../line/link.ts'
import { ownKey, usualEdge } from '../line/own-edge.ts'
import { statePaths } from '../state-paths.ts'
import { sentenceFor } from '../words.ts'
import { backupNow } from './backup/backup-command.ts'
import { backupPlaces } from './backup/backup-context.ts'

export interface DoctorOptions {
  readonly json: boolean
  /** Do the safe repairs, report them, and check again. */
  readonly fix: boolean
  /** Origin of an Ollama on this machine; by default the configured one. */
  readonly ollama?: string
}

/** Fails if anything is bad. JSON: the findings; repairs precede the findings after them. */
export async function doctorCommand(context: CommandContext, options: DoctorOptions): Promise<ExitCode> {
  const { screen } = context
  const found = await lookAtAll(context, options)
  const mended = options.fix ? await mendAll(context, found) : []
  const findings = mended.length === 0 ? found : [...mended, ...(await lookAtAll(context, options))]
  if (options.json) screen.out(JSON.stringify(findings, null, 2))
  else for (const finding of findings) screen.out(lineOf(finding))
  return findings.some(({ state }) => state === 'bad') ? 1 : 0
}

/**
 * Polls of a chat that is connecting, and milliseconds between two: as long as a call to its service may
 * take.
 */
const MOST_LOOKS = 50
const LOOK_EVERY_MS = 200

const MARKS = Object.freeze({ ok: 'ok   ', note: '  -  ', bad: 'BAD  ' })
/** UTF-16 units of the column for the part, so that the sentences are aligned. */
const PART_WIDTH = 22

function lineOf({ part, state, says }: Finding): string {
  return `${MARKS[state]}${terminalLine(part).padEnd(PART_WIDTH)} ${terminalLine(says)}`
}

async function lookAtAll(context: CommandContext, options: DoctorOptions): Promise<readonly Finding[]> {
  const { environment } = context
  const machine = await looked('this machine', () => lookAtMachine(statePaths(environment).root, environment))
  const home = await askHome(context, options.ollama ?? null)
  return [
    ...machine,
    ...home.findings,
    ...lookAtCommands(context),
    await lookAtSandbox(context, home.status),
    ...(await looked('edge', () => lookAtEdge(context))),
    ...(await looked('backups', async () => [await lookAtBackups(context)])),
    containerFinding(isOnPath('podman', environment)),
  ]
}

/** A storage error ends one check and not the others. */
async function looked(part: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    const reason = diskRefusal(error)
    if (reason === null) throw error
    return [bad(part, sentenceFor(reason))]
  }
}

interface HomeLook {
  readonly findings: readonly Finding[]
  /** Home's status; null if home does not answer. */
  readonly status: PlaceStatus | null
}

async function askHome(context: CommandContext, ollama: string | null): Promise<HomeLook> {
  let status: PlaceStatus | null = null
  const findings = await looked('home', async () => {
    const look = await lookAtHome(context, ollama)
    status = look.status
    return look.findings
  })
  return { findings, status }
}

async function lookAtHome(context: CommandContext, ollama: string | null): Promise<HomeLook> {
  const memory = totalmem()
  const look = await withLink(context, { line: 'private', start: true }, async (link, { isBorrowed }) => {
    const models = await link.doctor(ollama)
    const status = await settledStatus(link)
    return status.ok && models.ok
      ? ok({ status: status.value, models: models.value, runs: !isBorrowed() })
      : either(status, models)
  })
  if (!look.ok) return { findings: [bad('home', sentenceFor(look.reason))], status: null }
  const { runs, status, models } = look.value
  const findings = [
    runs ? good('home', 'It runs.') : note('home', ASLEEP),
    tunnelFinding(status),
    ...configFindings(status),
    ...lineFindings(status),
    ...modelFindings(models, memory),
    ...accountFindings(models.accounts ?? []),
  ]
  return { findings, status }
}

/**
 * Right after a start, home's chats have no answer from their services yet; waits until their status is
 * settled.
 */
async function settledStatus(link: Link): Promise<Result<PlaceStatus>> {
  for (let looks = 1; ; looks += 1) {
    const status = await link.status()
    const isNew = status.ok && CHANNELS.some(({ name }) => status.value[name] === CONNECTS)
    if (!isNew || looks === MOST_LOOKS) return status
    await pause(LOOK_EVERY_MS)
  }
}

/** An unreadable configuration is reported by home's own check. */
function lookAtCommands({ environment }: CommandContext): readonly Finding[] {
  const config = loadConfig(environment, statePaths(environment).root)
  return config.ok ? takenFindings(config.value) : []
}

/**
 * Home's report takes precedence, because this command may have other permissions. Without home, checks this
 * process.
 */
async function lookAtSandbox({ environment }: CommandContext, status: PlaceStatus | null): Promise<Finding> {
  const config = loadConfig(environment, statePaths(environment).root)
  const said = sandboxSaid(status) ?? { state: await probeSandbox(), service: false }
  return sandboxFinding({ ...said, without: config.ok && config.value.documentsWithoutSandbox })
}

const ASLEEP = `It does not run now, so nothing that you write to it is heard; it was started for this look alone. To start it: \`${startCommand()}\`.`

const EDGE = { line: 'open', start: false } as const

/** The edge is optional: without one, home works alone. */
async function lookAtEdge(context: CommandContext): Promise<readonly Finding[]> {
  const status = await withLink(context, EDGE, (link) => link.status())
  if (!status.ok) return [note('edge', silenceOf(context, sentenceFor(status.reason)))]
  const there = good('edge', `It answers at ${String(status.value['url'] ?? 'its address')}.`)
  // Each model is asked a trivial question there; home's models over the tunnel, as for a task of the edge.
  const asked = await withLink(context, EDGE, (link) => link.call(askNames, {}))
  return [
    there,
    ...(await lookAtEdgeState(context)),
    ...(asked.ok ? edgeModelFindings(asked.value) : [note('edge models', sentenceFor(asked.reason))]),
  ]
}

/** An edge that is not configured is not a problem. */
function silenceOf({ environment }: CommandContext, why: string): string {
  const config = loadConfig(environment, statePaths(environment).root)
  if (config.ok && config.value.edge === null)
    return hasEdgeProgram()
      ? 'None is set up: `pfar deploy` puts one on Cloudflare, `npm start` runs one on this machine.'
      : NO_EDGE_PROGRAM
  return `It does not answer: ${why}`
}

async function lookAtEdgeState(context: CommandContext): Promise<readonly Finding[]> {
  const own = ownKey(context)
  const edge = own.ok ? usualEdge(context, own.value.paths) : own
  if (!own.ok || !edge.ok) return []
  const began = Date.now()
  const state = await edgeHealth(edge.value, own.value.device)
  if (!state.ok) return [bad('edge state', sentenceFor(state.reason))]
  return edgeFindings(state.value, (began + Date.now()) / 2)
}

async function lookAtBackups(context: CommandContext): Promise<Finding> {
  const places = backupPlaces(context, {})
  if (!places.ok) return bad('backups', sentenceFor(places.reason))
  const { archive, state } = places.value
  const now = Date.now()
  const folder = existsSync(state) ? openStateFolder(state) : null
  const key = folder?.ok ? masterNote(folder.value) : null
  const newest = await newestBackup(archive.path, now)
  const under = newest?.manifest.masterKey
  const facts = {
    keyed: existsSync(`${state}/${KEY_FILE}`),
    shelved: archive.create || existsSync(archive.path),
    newest: newest?.manifest.createdAt ?? null,
    development: key === null || (key.ok && key.value.development),
    former: key?.ok === true && under !== undefined && under.number !== key.value.number,
  }
  return backupFinding(facts, now)
}

function either<T>(...answers: readonly Result<T | unknown>[]): Extract<Result<never>, { ok: false }> {
  const failed = answers.find((answer) => !answer.ok)
  if (failed === undefined || failed.ok) throw new Error('one of them must have failed')
  return failed
}

/** In the order of `MENDS`, each once, however many findings need it. */
async function mendAll(context: CommandContext, findings: readonly Finding[]): Promise<readonly Finding[]> {
  const mended: Finding[] = []
  for (const mend of MENDS)
    if (findings.some((finding) => finding.mend === mend)) mended.push(await DOES[mend](context))
  return mended
}

const FIXED = 'fixed'
const NOT_FIXED = 'not fixed'

const DOES: Readonly<Record<Mend, (context: CommandContext) => Finding | Promise<Finding>>> = {
  folders: makeFolders,
  modes: closeFiles,
  webhook: setWebhook,
  backup: makeBackup,
}

function makeFolders({ environment }: CommandContext): Finding {
  const { root, edge, logs } = statePaths(environment)
  const folder = openStateFolder(root)
  if (!folder.ok) return bad(NOT_FIXED, `${root}: ${String(folder.reason.facts['problem'])}.`)
  for (const path of [edge, logs]) mkdirSync(path, { recursive: true, mode: 0o700 })
  return good(FIXED, `Made ${root}.`)
}

function closeFiles({ environment }: CommandContext): Finding {
  const { root } = statePaths(environment)
  try {
    chmodSync(root, 0o700)
    const names = openFiles(root)
    for (const name of names) chmodSync(join(root, name), 0o600)
    const files = names.length === 0 ? '' : ` and ${names.join(', ')}`
    const known = 'If anybody else uses this machine, they may have read them: `pfar key rotate`.'
    return good(FIXED, `Closed ${root}${files} to others. ${known}`)
  } catch {
    return bad(NOT_FIXED, `The modes in ${root} cannot be changed.`)
  }
}

async function setWebhook(context: CommandContext): Promise<Finding> {
  const own = ownKey(context)
  const edge = own.ok ? usualEdge(context, own.value.paths) : own
  const set = own.ok && edge.ok ? await orderWebhook(edge.value, own.value.device, true) : edge
  return set.ok
    ? good(FIXED, `Told ${EDGE_CHAT.title} to bring messages to this edge.`)
    : bad(NOT_FIXED, `${EDGE_CHAT.title} could not be told: ${sentenceFor(set.reason)}`)
}

async function makeBackup(context: CommandContext): Promise<Finding> {
  // Redirects the command's output to stderr, so that stdout stays one JSON document.
  const { err } = context.screen
  const quiet = { ...context, screen: { ...context.screen, out: err } }
  return (await backupNow(quiet)) === 0
    ? good(FIXED, 'Made the backup that was due.')
    : bad(NOT_FIXED, 'The backup could not be made.')
}
