/**
 * `pfar restore`: restores a state folder from a backup and its passphrase, or with `--edge` what a lost edge held into the
 * new, empty edge that home uses now (E-16); home, which has the keys, imports that. Must not touch anything before everything
 * was checked and the owner confirmed. Called by local/home.ts.
 */
import { mkdir, rm } from 'node:fs/promises'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../../../kernel/flow/verdict.ts'
import { isReasonCode } from '../../../../kernel/reasons.ts'
import { wordsFor } from '../../../../kernel/wording/words.ts'
import { type Backup, openEdgeStores } from '../../../backup/backup.ts'
import { EDGE_RESTORE } from '../../../backup/edge-transfer.ts'
import { restoreBackup } from '../../../backup/restore.ts'
import type { MasterNote } from '../../../keys/key-status.ts'
import { openStateFolder } from '../../../store/state-folder.ts'
import { withStorage } from '../../../store/storage-trouble.ts'
import { askSocket, type CommandContext, type ExitCode, fail } from '../../command.ts'
import { askHidden } from '../../hidden-input.ts'
import { atBackups, type ChosenBackup, failBackup, findBackup, noPassphrase } from './backup-context.ts'

export interface RestoreOptions extends ChosenBackup {
  readonly replace: boolean
  readonly dryRun: boolean
  readonly yes: boolean
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

export function restoreCommand(context: CommandContext, options: RestoreOptions): Promise<ExitCode> {
  const { dryRun, replace } = options
  const { screen } = context
  return atBackups(context, options, async ({ state, archive }) => {
    const backup = await findBackup(archive, options)
    if (!backup.ok) return backup
    const { name, manifest } = backup.value
    const passphrase = (await askHidden([`Passphrase of the backup ${name}: `]))?.[0]
    if (passphrase === undefined) return noPassphrase()
    const now = Date.now()
    const restored = await restoreBackup({ state, backup: backup.value, passphrase, replace, dryRun, now })
    if (!restored.ok) return restored
    const { files, aside, masterKey } = restored.value
    screen.out(
      dryRun
        ? `Would restore ${name} into ${state}: ${files.join(', ')}. Nothing was changed.`
        : `Restored ${name} into ${state}: ${files.join(', ')}`,
    )
    if (aside !== null) screen.out(`What was there is in ${aside}`)
    screen.out(masterKeySentence(masterKey, state))
    if (!dryRun && manifest.files.some(({ kind }) => kind === 'edge')) screen.out(EDGE)
    return ok(0)
  })
}

/** Milliseconds for all stores: each has a few megabytes, and the connection may be slow. */
const LONGEST = 1_800_000

const answered = z.object({
  edge: z.string(),
  stores: z.array(z.object({ file: z.string(), rows: z.int(), trouble: z.nullable(z.string()) })),
})

export function restoreEdgeCommand(context: CommandContext, options: RestoreOptions): Promise<ExitCode> {
  return atBackups(context, options, async ({ state, archive }) => {
    const folder = openStateFolder(state)
    if (!folder.ok) return folder
    const backup = await findBackup(archive, options)
    if (!backup.ok) return backup
    const into = folder.value.file(EDGE_RESTORE)
    try {
      return await restoreFrom(context, backup.value, { ...options, into })
    } finally {
      await rm(into, { recursive: true, force: true })
    }
  })
}

async function restoreFrom(
  context: CommandContext,
  backup: Backup,
  { into, dryRun, yes }: RestoreOptions & { readonly into: string },
): Promise<Result<ExitCode>> {
  const asks = !dryRun && !yes
  const given = await askHidden([
    `Passphrase of the backup ${backup.name}: `,
    ...(asks
      ? ['Put what the edge held then into the edge that home uses now? Type yes (it is not shown): ']
      : []),
  ])
  const [passphrase, said] = given ?? []
  if (passphrase === undefined) return noPassphrase()
  if (asks && said?.trim().toLowerCase() !== 'yes')
    return err('approval_denied', { file: 'pfar restore', problem: 'nothing was changed' })
  const opened = await withStorage(backup.name, async () => {
    await rm(into, { recursive: true, force: true })
    await mkdir(into, { mode: 0o700 })
    return openEdgeStores(backup, passphrase, into)
  })
  if (!opened.ok) return opened
  for (const { opened: each } of opened.value) if (!each.ok) failBackup(context, each.reason)
  const whole = opened.value.filter((store) => store.opened.ok).map(({ file }) => file)
  if (dryRun) context.screen.out(`Would restore of the edge: ${whole.join(', ')}. Nothing was changed.`)
  const code = dryRun || whole.length === 0 ? 0 : await putIn(context)
  return ok(whole.length < opened.value.length ? 1 : code)
}

async function putIn(context: CommandContext): Promise<ExitCode> {
  const { screen } = context
  const answer = await askSocket(context, { method: 'restore_edge', params: {}, within: LONGEST })
  if (!answer.ok) return fail(context, answer)
  const { edge, stores } = answered.parse(answer.value)
  for (const { file, rows, trouble } of stores) {
    if (trouble === null) screen.out(`Restored at ${edge}: ${file} (${rows})`)
    else screen.err(`${file}: ${wordsFor(isReasonCode(trouble) ? trouble : 'internal_fault')} (${trouble})`)
  }
  return stores.some(({ trouble }) => trouble !== null) ? 1 : 0
}
