/** Declares `pfar model add`. No option takes a key. Loads the work on demand. Listed in index.ts. */
import { asking } from '../chat/asker.ts'
import { groupOf, nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

interface Flags {
  readonly model?: string
  readonly name?: string
  readonly cloud: boolean
  readonly allowDevelopmentKey: boolean
}

export const MODEL: LocalCommand = {
  names: ['model add'],
  why: 'stopped',
  reason: 'it asks for a key without an echo, and writes what home reads when it starts',
  add: (program, run) =>
    groupOf(program, ['model'])
      .description('language models')
      .command('add')
      .argument(
        '[service]',
        'such as anthropic, or the address of a server; left out, you choose from a list',
      )
      .description('a language model: asks for its key, tries it, and asks what it may read')
      .option('--model <model>', 'as the service calls it; left out, you choose from its list', nonEmpty)
      .option('--name <name>', 'what you call it', nonEmpty)
      .option('--cloud', 'for a gateway of your own that passes prompts on to a company', false)
      .option('--allow-development-key', 'although the master key lies in plain beside the data', false)
      .action(async (service: string | undefined, options: Flags) => {
        const { addModel } = await import('../commands/model-command.ts')
        await run((context) =>
          asking((asker) =>
            addModel(context, { ...options, ...(service !== undefined && { service }) }, asker),
          ),
        )
      }),
}
