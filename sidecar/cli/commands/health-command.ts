/**
 * `pfar health import export.zip`: reads the file here, piece by piece, and hands its days to home, which seals them. What ends in the middle has changed
 * nothing, or whole months: the same command again does the rest. Must not print a value. Called by local/health.ts.
 */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { HealthMonth } from '../../../integrations/tools/health/health-port.ts'
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import { readHealthExport } from '../../health/export-file.ts'
import { MOST_MONTHS } from '../../health/health-methods.ts'
import { askOperation, askSocket, type CommandContext, type ExitCode, fail, onLine } from '../command.ts'

/** Bytes of one call, well below what the line takes. */
const MOST_BYTES = 600_000
/** Milliseconds in which home seals one call's months. */
const WITHIN = 120_000
const MEGABYTE = 1_000_000

/** A home that does not run is started for it, and stopped again. */
export function importHealth(context: CommandContext, file: string): Promise<ExitCode> {
  return onLine(context, { line: 'private', start: true }, async () => ok(await importFile(context, file)))
}

async function importFile(context: CommandContext, file: string): Promise<ExitCode> {
  const { screen } = context
  // Asked first: nobody should wait for a long reading to learn that home is not there.
  const home = await askSocket(context, { method: 'health_keep', params: { source: 'apple', months: [] } })
  if (!home.ok) return fail(context, home)
  const path = resolve(file.replace(/^~(?=\/|$)/, homedir()))
  const read = await readHealthExport(path, {
    now: Date.now(),
    progress: (bytes, of) => screen.progress(`Reading: ${megabytes(bytes)} of ${megabytes(of)} MB`),
  })
  screen.progress('')
  if (!read.ok) {
    screen.err(SENTENCES[read.reason.code] ?? SENTENCES.health_malformed)
    return 1
  }
  const { months, taken, odd } = read.value
  if (months.length === 0) {
    screen.err('That export holds nothing that I know: no steps, sleep, heart rate, weight or workouts.')
    return 1
  }
  const kept = await keepAll(context, months)
  if (!kept.ok) return fail(context, kept)
  const [first, last] = [months[0], months.at(-1)]
  screen.out(
    `Your health data is in: ${taken.toLocaleString('en-GB')} records, ${first?.month ?? ''} to ${last?.month ?? ''}, kept as days, sealed, at home alone.`,
  )
  if (odd > 0)
    screen.out(`Left out: ${odd.toLocaleString('en-GB')}, with a date, a unit or a value that cannot be.`)
  screen.out('The file is not needed any more.')
  return askToShow(context)
}

/** Where it is shown, the owner decides, by a card: here, for a start. */
async function askToShow(context: CommandContext): Promise<ExitCode> {
  const { screen } = context
  const asked = await askOperation(context, 'health.allow', { chat: 'terminal' })
  const card = asked.ok ? approvalIn(asked.value) : null
  if (card !== null) {
    screen.out(
      `It is shown nowhere yet. To have it shown at this terminal: pfar approve ${card} (pfar approvals says what to)`,
    )
    screen.out('In another chat with your home, say: let this chat see health data.')
  }
  screen.out('Then ask: "how did I sleep last night?"')
  return 0
}

function approvalIn(answer: unknown): string | null {
  const found = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'approval') : null
  return typeof found === 'string' ? found : null
}

const SENTENCES: Readonly<Record<string, string>> & { readonly health_malformed: string } = {
  folder_gone: 'There is no such file.',
  file_denied: 'I may not read that file.',
  nothing_found: 'There is no health export in that archive.',
  health_malformed:
    'That is no health export, or it is damaged: nothing was changed. On the iPhone: Health, your picture, Export All Health Data.',
}

async function keepAll(context: CommandContext, months: readonly HealthMonth[]): Promise<Result<true>> {
  let done = 0
  for (const batch of batchesOf(months)) {
    const params = { source: 'apple', months: batch }
    const kept = await askSocket(context, { method: 'health_keep', params, within: WITHIN })
    if (!kept.ok) return kept
    done += batch.length
    context.screen.progress(`Keeping: ${done} of ${months.length} months`)
  }
  context.screen.progress('')
  return ok(true)
}

export function batchesOf(months: readonly HealthMonth[]): readonly (readonly HealthMonth[])[] {
  const batches: HealthMonth[][] = []
  let room = 0
  for (const month of months) {
    const bytes = Buffer.byteLength(JSON.stringify(month))
    const last = batches.at(-1)
    if (last === undefined || bytes > room || last.length === MOST_MONTHS) {
      batches.push([month])
      room = MOST_BYTES - bytes
    } else {
      last.push(month)
      room -= bytes
    }
  }
  return batches
}

function megabytes(bytes: number): string {
  return Math.ceil(bytes / MEGABYTE).toLocaleString('en-GB')
}
