/** `pfar memory …`: names, arguments and options, nothing else. Called by program.ts. */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command.ts'
import { changeMemoryCommand, memoryCommand } from './memory-command.ts'
import { type LineOption, nonEmpty, onLineOption } from './options.ts'

export function addMemory(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const memory = program.command('memory').description('what is remembered of you')
  onLineOption(memory.command('list', { isDefault: true }))
    .description('what you asked to remember, and what earlier answers left')
    .option('--json', 'one JSON document', false)
    .action(async (options: LineOption & { json: boolean }) => done(await memoryCommand(context, options)))
  onLineOption(memory.command('forget').argument('<which>', 'id, or number in the list', nonEmpty))
    .description('delete one of them')
    .action(async (which: string, { line }: LineOption) =>
      done(await changeMemoryCommand(context, line, { do: 'forget', which })),
    )
  onLineOption(
    memory
      .command('correct')
      .argument('<which>', 'id, or number in the list', nonEmpty)
      .argument('<text...>', 'what it shall say'),
  )
    .description('replace a fact by your own words')
    .action(async (which: string, words: string[], { line }: LineOption) =>
      done(await changeMemoryCommand(context, line, { do: 'correct', which, text: words.join(' ') })),
    )
}
