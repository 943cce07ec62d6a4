/**
 * `pfar models …`: names, arguments and options. Must not do any command's work. Called by program.ts.
 */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command.ts'
import { acknowledgeCommand, modelsCommand, unacknowledgeCommand } from './models-command.ts'
import { type AnswerOptions, type LineOption, nonEmpty, onLineOption } from './options.ts'

export function addModels(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const models = program.command('models').description('which models answer, and what they may read')
  onLineOption(models.command('list', { isDefault: true }))
    .description('all of them, and for which templates cloud models may read private data')
    .option('--json', 'one JSON document', false)
    .action(async (options: AnswerOptions) => done(await modelsCommand(context, options)))
  onLineOption(models.command('acknowledge').argument('<template>', 'from `pfar models`', nonEmpty))
    .description('let cloud models read private data of this template; needs your yes to its card')
    .action(async (template: string, { line }: LineOption) =>
      done(await acknowledgeCommand(context, { line, template })),
    )
  onLineOption(models.command('revoke').argument('<template>', 'from `pfar models`', nonEmpty))
    .description('take that back, at once')
    .action(async (template: string, { line }: LineOption) =>
      done(await unacknowledgeCommand(context, { line, template })),
    )
}
