/**
 * `pfar restore --edge`: restores what a lost edge held, from a backup and its passphrase, into the new, empty edge
 * that home uses now (E-16). Decrypts the files; home, which has the keys, imports them. Must not send anything itself,
 * or start before the owner confirmed. Called by program.ts.
 */
import { mkdir, rm } from 'node:fs/promises'
import * as z from 'zod/mini'
import { isReasonCode } from '../../../kernel/reasons.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import { type Backup, openEdgeStores } from '../../backup/open-backup.ts'
import { EDGE_RESTORE } from '../../backup/restore-methods.ts'
import { withStorage } from '../../backup/storage-trouble.ts'
import { openStateFolder } from '../../store/state-folder.ts'
import { askPassphrases, backupPlaces, failBackup, findBackup, noPassphrase } from '../backup-context.ts'
import { type CommandContext, type ExitCode, fail } from '../command.ts'
import { createLineClient } from '../line/line-client.ts'
import { statePaths } from '../state-paths.ts'

export interface RestoreEdgeOptions {
  readonly from: string | null
  readonly date: string | null
  readonly dryRun: boolean
  readonly yes: boolean
}

/** Milliseconds for all stores: each has a few megabytes, and the connection may be slow. */
const LONGEST = 1_800_000

const answered = z.object({
  edge: z.string(),
  stores: z.array(z.object({ file: z.string(), rows: z.int(), trouble: z.nullable(z.string()) })),
})

export async function restoreEdgeCommand(
  context: CommandContext,
  options: RestoreEdgeOptions,
): Promise<ExitCode> {
  const places = backupPlaces(context, options.from)
  if (!places.ok) return failBackup(context, places.reason)
  const folder = openStateFolder(places.value.state)
  if (!folder.ok) return failBackup(context, folder.reason)
  const backup = await findBackup(places.value.shelf, options.date)
  if (!backup.ok) return failBackup(context, backup.reason)
  const into = folder.value.file(EDGE_RESTORE)
  try {
    return await restoreFrom(context, { ...options, backup: backup.value, into })
  } finally {
    await rm(into, { recursive: true, force: true })
  }
}

interface Restoring extends RestoreEdgeOptions {
  readonly backup: Backup
  readonly into: string
}

async function restoreFrom(context: CommandContext, restoring: Restoring): Promise<ExitCode> {
  const { backup, into, dryRun, yes } = restoring
  const questions = [`Passphrase of the backup ${backup.name}: `]
  if (!dryRun && !yes)
    questions.push(
      'Put what the edge held then into the edge that home uses now? Type yes (it is not shown): ',
    )
  const given = await askPassphrases(questions)
  const passphrase = given?.[0]
  if (given === null || passphrase === undefined) return failBackup(context, noPassphrase())
  if (!dryRun && !yes && given[1]?.trim().toLowerCase() !== 'yes') {
    const facts = { file: 'pfar restore', problem: 'nothing was changed' }
    return failBackup(context, { code: 'approval_denied', facts })
  }
  const opened = await withStorage(backup.name, async () => {
    await rm(into, { recursive: true, force: true })
    await mkdir(into, { mode: 0o700 })
    return openEdgeStores(backup, passphrase, into)
  })
  if (!opened.ok) return failBackup(context, opened.reason)
  const failed = opened.value.filter((store) => !store.opened.ok)
  for (const { opened: each } of failed) if (!each.ok) failBackup(context, each.reason)
  const whole = opened.value.filter((store) => store.opened.ok).map(({ file }) => file)
  if (dryRun) context.screen.out(`Would restore of the edge: ${whole.join(', ')}. Nothing was changed.`)
  const code = dryRun || whole.length === 0 ? 0 : await putIn(context)
  return failed.length > 0 ? 1 : code
}

async function putIn(context: CommandContext): Promise<ExitCode> {
  const { screen, environment } = context
  const client = createLineClient(statePaths(environment).socket)
  try {
    const answer = await client.method('restore_edge', {}, LONGEST)
    if (!answer.ok) return fail(context, answer)
    const { edge, stores } = answered.parse(answer.value)
    for (const { file, rows, trouble } of stores) {
      if (trouble === null) screen.out(`Restored at ${edge}: ${file} (${rows})`)
      else screen.err(`${file}: ${wordsFor(isReasonCode(trouble) ? trouble : 'internal_fault')} (${trouble})`)
    }
    return stores.some(({ trouble }) => trouble !== null) ? 1 : 0
  } finally {
    client.close()
  }
}
