/** `pfar memory …`: names, arguments and options, nothing else. Called by program.ts. */
import { type Command, Option } from 'commander'
import type { CommandContext, ExitCode } from './command.ts'
import type { Line } from './link.ts'
import { changeMemoryCommand, memoryCommand } from './memory-command.ts'

interface LineOption {
  readonly line: Line
}

export function addMemory(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const memory = program.command('memory').description('what is remembered of you')
  onLine(memory.command('list', { isDefault: true }))
    .description('what you asked to remember, and what earlier answers left')
    .option('--json', 'one JSON document', false)
    .action(async (options: LineOption & { json: boolean }) => done(await memoryCommand(context, options)))
  onLine(memory.command('forget').argument('<which>', 'id, or number in the list'))
    .description('delete one of them')
    .action(async (which: string, { line }: LineOption) =>
      done(await changeMemoryCommand(context, line, { do: 'forget', which })),
    )
  onLine(
    memory
      .command('correct')
      .argument('<which>', 'id, or number in the list')
      .argument('<text...>', 'what it shall say'),
  )
    .description('replace a fact by your own words')
    .action(async (which: string, words: string[], { line }: LineOption) =>
      done(await changeMemoryCommand(context, line, { do: 'correct', which, text: words.join(' ') })),
    )
}

function onLine(command: Command): Command {
  return command.addOption(
    new Option('--line <line>', 'private: home; open: the edge')
      .choices(['private', 'open'])
      .default('private'),
  )
}
