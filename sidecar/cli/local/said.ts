/** Declares commands that send a chat command over a line: names, arguments and options. Must not do their work. Listed in index.ts. */
import type { Command } from 'commander'
import { PAUSE, RESUME } from '../../../kernel/task/command.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import { askCommand } from '../commands/ask-command.ts'
import { pauseCommand } from '../commands/pause-command.ts'
import { type AnswerOptions, answering, type LineOption, onLineOption } from '../options.ts'
import type { LocalCommand } from './local.ts'

function addSaid(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  answering(program.command('context'))
    .description('where the tokens of the next prompt go')
    .action(async (options: AnswerOptions) => done(await askCommand(context, '/context', options)))
  answering(program.command('mode').argument('[mode]', 'execute, build, analyze, maintain, assist or auto'))
    .description('how you are answered, from now on')
    .action(async (mode: string | undefined, options: AnswerOptions) =>
      done(await askCommand(context, mode === undefined ? '/mode' : `/mode ${mode}`, options)),
    )
  onLineOption(program.command('pause'))
    .description('do nothing until `pfar resume`; what comes meanwhile is kept')
    .action(async ({ line }: LineOption) => done(await pauseCommand(context, line, PAUSE)))
  onLineOption(program.command('resume'))
    .description('go on; a pause that was said at home is ended there alone')
    .action(async ({ line }: LineOption) => done(await pauseCommand(context, line, RESUME)))
}

export const SAID: LocalCommand = {
  names: ['context', 'mode', 'pause', 'resume'],
  why: 'said',
  reason: 'the chats answer it, on the line that it is said on',
  add: addSaid,
}
