/**
 * The `pfar` command line, made of two lists: operations and local commands (DESIGN §9). Must not do any command's
 * work. Called by main.ts.
 */
import { Command, CommanderError } from 'commander'
import { diskRefusal } from '../store/disk-refusal.ts'
import { type CommandContext, type ExitCode, fail } from './command.ts'
import { LOCAL } from './local/index.ts'
import { addOperations } from './operation-program.ts'

/** Runs one command line (without `node` and the script). Exit code 2: wrong usage. */
export async function runProgram(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  let exit: ExitCode = 0
  const program = createProgram(context, (code) => {
    exit = code
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const reason = diskRefusal(error)
    if (reason === null) throw error
    return fail(context, { ok: false, reason })
  }
}

/** `done`: called with the exit code of the command. */
export function createProgram(context: CommandContext, done: (code: ExitCode) => void): Command {
  const program = new Command('pfar')
    .description('Talk to your PFAR.')
    .exitOverride()
    .showHelpAfterError('(pfar --help lists the commands)')
    .configureOutput({
      writeOut: (text) => context.screen.out(text.trimEnd()),
      writeErr: (text) => context.screen.err(text.trimEnd()),
    })
  for (const local of LOCAL.before) local.add(program, context, done)
  addOperations(program, context, done)
  for (const local of LOCAL.behind) local.add(program, context, done)
  return program
}
