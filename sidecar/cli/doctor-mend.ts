/**
 * Repairs of `pfar doctor --fix`: only those that are safe to repeat and delete nothing, each reported as a finding.
 * Must not touch what no finding named. Called by doctor-command.ts.
 */

import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import { bad, type Finding, good, MENDS, type Mend } from '../doctor/finding.ts'
import { openFiles } from '../doctor/machine-look.ts'
import { openStateFolder } from '../store/state-folder.ts'
import { orderWebhook } from '../tunnel/edge-health.ts'
import type { CommandContext } from './command.ts'
import { backupNow } from './commands/backup-command.ts'
import { ownKey, usualEdge } from './line/own-device.ts'
import { statePaths } from './state-paths.ts'
import { sentenceFor } from './words.ts'

/** In the order of `MENDS`, each once, however many findings need it. */
export async function mendAll(
  context: CommandContext,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
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
