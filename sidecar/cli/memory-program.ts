/** `pfar memory …`: names, arguments and options, nothing else. Called by program.ts. */
import { type Command, InvalidArgumentError } from 'commander'
import { createAsker } from './asker.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { changeMemoryCommand, type MemoryChange, memoryCommand } from './memory-command.ts'
import { type LineOption, nonEmpty, onLineOption } from './options.ts'

export function addMemory(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const memory = program.command('memory').description('what is remembered of you')
  onLineOption(memory.command('list', { isDefault: true }))
    .description('what you asked to remember, and what earlier answers left')
    .option('--json', 'one JSON document', false)
    .action(async (options: LineOption & { json: boolean }) => done(await memoryCommand(context, options)))
  onLineOption(memory.command('forget').argument('<which>', 'id, or number in the list', nonEmpty))
    .description('show one of them, ask, and delete it; can be undone for ten minutes')
    .option('--yes', 'do not ask', false)
    .action(async (which: string, { line, yes }: LineOption & { yes: boolean }) =>
      change(line, { do: 'forget', which, yes }),
    )
  onLineOption(memory.command('undo').argument('[number]', 'the last one if left out', parseNumber))
    .description('bring back what was forgotten in the last ten minutes')
    .action(async (number: number | undefined, { line }: LineOption) =>
      change(line, { do: 'undo', number: number ?? null }),
    )
  onLineOption(
    memory
      .command('correct')
      .argument('<which>', 'id, or number in the list', nonEmpty)
      .argument('<text...>', 'what it shall say'),
  )
    .description('replace a fact by your own words')
    .action(async (which: string, words: string[], { line }: LineOption) =>
      change(line, { do: 'correct', which, text: words.join(' ') }),
    )

  async function change(line: LineOption['line'], what: MemoryChange): Promise<void> {
    const asker = createAsker(process.stdin, process.stderr, process.stdin.isTTY === true)
    done(await changeMemoryCommand(context, { line, ask: asker.ask }, what))
    asker.letGo()
  }
}

function parseNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a number of the list.')
  return Number(text)
}
