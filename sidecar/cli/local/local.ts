/**
 * A local command: one that no running home or edge answers as an operation, with the reason why (DESIGN §9). Types only. Implemented by every
 * file of this folder.
 */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from '../command.ts'

/**
 * `stopped`: it works on a home that stands still, or on its files. `process`: it makes, starts or removes programs of this machine or another.
 * `terminal`: it needs somebody at a terminal: a line without echo, an editor, a conversation, or what no chat may do. `said`: it says a command
 * of the chats on a line.
 */
export type Why = 'stopped' | 'process' | 'terminal' | 'said'

export interface LocalCommand {
  /** The commands that it adds, as they are typed; a group stands for all that it holds. */
  readonly names: readonly string[]
  readonly why: Why
  /** One sentence. */
  readonly reason: string
  add(program: Command, context: CommandContext, done: (code: ExitCode) => void): void
}
