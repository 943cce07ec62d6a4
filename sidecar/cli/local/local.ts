/**
 * Type of a local command, which is no operation of a running home or edge, with the reason (DESIGN §9). Implemented by
 * every file of this folder.
 */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from '../command.ts'

/**
 * `stopped`: works on a home that is not running, or on its files. `process`: creates, starts or removes programs on
 * this machine or another. `terminal`: needs a person at a terminal: input without echo, an editor, a conversation, or
 * what no chat may do. `said`: sends a chat command over a line.
 */
type Why = 'stopped' | 'process' | 'terminal' | 'said'

/** Does the work of a command and keeps its exit code. */
export type Run = (work: (context: CommandContext) => ExitCode | Promise<ExitCode>) => Promise<void>

export interface LocalCommand {
  /** The commands that it adds, as typed; a group stands for all its commands. */
  readonly names: readonly string[]
  readonly why: Why
  /** One sentence. */
  readonly reason: string
  add(program: Command, run: Run): void
}
