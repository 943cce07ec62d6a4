/** Command-line arguments of `npm start --`. Pure except for commander. Called by run.ts. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'

/** Default port of the local edge. Fixed, so that addresses survive a restart. */
export const DEFAULT_PORT = 4787

export interface StartArguments {
  readonly only: 'edge' | 'home' | null
  readonly demo: boolean
  readonly chat: boolean
  /** 0: any free port. */
  readonly port: number
  readonly quiet: boolean
  /** Restart a place when one of its sources changes; without a chat. */
  readonly watch: boolean
  /** Stop when stdin ends: for a parent process that must not leave this one behind. */
  readonly leashed: boolean
}

export type ParsedArguments =
  | { readonly ok: true; readonly value: StartArguments }
  | { readonly ok: false; readonly exitCode: 0 | 2 }

export interface Usage {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/** `usage` prints help and errors; exit code 0 for help, 2 for an error. */
export function parseArguments(args: readonly string[], usage: Usage): ParsedArguments {
  const command = new Command('npm start --')
    .description('Run edge and home on this machine, and talk to them here.')
    .addOption(new Option('--only <place>', 'one place alone').choices(['edge', 'home']))
    .option('--no-demo', 'no demo mailbox, even without an account')
    .option('--no-chat', 'no chat in this terminal')
    .option('--port <number>', 'port of the edge, 0 for any free one', portOf, DEFAULT_PORT)
    .option('--quiet', 'say nothing but troubles', false)
    .option('--watch', 'start a place again when a source of it changes; no chat', false)
    .addOption(new Option('--leashed').default(false).hideHelp())
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: usage.out, writeErr: usage.err })
  try {
    command.parse([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return { ok: false, exitCode: error.exitCode === 0 ? 0 : 2 }
    throw error
  }
  const options = command.opts<Omit<StartArguments, 'only'> & { only?: 'edge' | 'home' }>()
  return { ok: true, value: { ...options, only: options.only ?? null } }
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('Give a port, 0 to 65535.')
  return Number(text)
}
