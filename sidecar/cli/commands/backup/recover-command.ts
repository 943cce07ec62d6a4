/**
 * `pfar recover --from-edge`: sets up a new home from the copies at the edge and the 24 words (DESIGN §6). Shows the
 * date of the offered generation and asks for confirmation. Must not print a word or a key. Called by local/home.ts.
 */
import type { Refusal } from '../../../../kernel/flow/verdict.ts'
import { CHUNK_BYTES } from '../../../../kernel/tunnel/copies.ts'
import { type FoundCopy, type Recovered, recoverHome } from '../../../copies/recover-home.ts'
import type { ChosenCustody } from '../../../keys/change-key.ts'
import { askAtStart, readPhrase, withTerminal } from '../../../keys/owner-terminal.ts'
import { refusalDetail } from '../../../process/start-sentence.ts'
import { stateFolderPath } from '../../../store/state-folder.ts'
import { terminalLine } from '../../chat/terminal-text.ts'
import { type CommandContext, type ExitCode, fail } from '../../command.ts'
import { edgeOrigin } from '../../line/own-edge.ts'
import { sentenceFor } from '../../words.ts'

export interface RecoverOptions {
  readonly fromEdge: string
  readonly custody: ChosenCustody
  readonly replace: boolean
  readonly dryRun: boolean
  readonly yes: boolean
}

const MEGABYTE = 1_048_576

export async function recoverCommand(context: CommandContext, options: RecoverOptions): Promise<ExitCode> {
  const edge = edgeOrigin(options.fromEdge)
  if (!edge.ok) return fail(context, edge)
  const words = await withTerminal(readPhrase)
  if (words === null) return say(context, { code: 'key_unavailable', facts: NO_WORDS })
  const { custody, replace, dryRun } = options
  const env = context.environment
  const recovered = await recoverHome({
    ...{ state: stateFolderPath(env), edge: edge.value, words, custody, env, replace, dryRun },
    ask: askAtStart(env),
    confirm: (found) => confirm(context, found, options.yes),
    now: Date.now(),
  })
  if (!recovered.ok) return say(context, recovered.reason)
  report(context, recovered.value, edge.value)
  return 0
}

const NO_WORDS = { file: 'pfar recover', problem: 'the 24 words come from your terminal or on stdin' }

function say({ screen }: CommandContext, reason: Refusal): ExitCode {
  screen.err(reason.facts['problem'] === undefined ? sentenceFor(reason) : refusalDetail(reason))
  return 1
}

/** A hostile edge can only offer an older generation, which only the owner can recognise. */
async function confirm({ screen }: CommandContext, found: FoundCopy, yes: boolean): Promise<boolean> {
  const { manifest, number, chunks } = found
  const size = ((chunks.length * CHUNK_BYTES) / MEGABYTE).toFixed(1)
  screen.out(
    `The edge has copy ${number} of ${new Date(manifest.at).toISOString()}, ${size} MB, PFAR ${terminalLine(manifest.version)}.`,
  )
  screen.out(
    'What happened after that is not in it. If home was in use later, the edge is hiding a newer one.',
  )
  if (yes) return true
  const said = await withTerminal(async (terminal) =>
    terminal?.ask('Replace the lost home with this? Type yes: '),
  )
  return said?.trim().toLowerCase() === 'yes'
}

function report(
  { screen }: CommandContext,
  { found, aside, device, revoked }: Recovered,
  edge: string,
): void {
  const files = found.manifest.files.map(({ name }) => name).join(', ')
  if (device === null) {
    screen.out(`Would recover ${files}. Everything opens and is whole; nothing was changed.`)
    return
  }
  screen.out(`Recovered ${files}`)
  screen.out(
    `This home is ${device} at ${edge}${revoked === null ? '' : `; ${terminalLine(revoked)} was shut out`}.`,
  )
  if (aside !== null) screen.out(`What was there is in ${aside}`)
  if (found.manifest.edgeKey === null)
    screen.out(`Home had not pinned that edge: pair again with \`pfar pair\`.`)
  screen.out(`Home uses the edge with this in config.toml, if it is not there:\n\n[edge]\nurl = "${edge}"`)
}
