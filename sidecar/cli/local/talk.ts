/** Declares `pfar ask` and `pfar chat`: names, arguments and options. Must not do their work. Listed in index.ts. */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from '../command.ts'
import { askCommand } from '../commands/ask-command.ts'
import { chatCommand } from '../commands/chat-command.ts'
import { type AnswerOptions, answering, type LineOption, onLineOption } from '../options.ts'
import type { LocalCommand } from './local.ts'

function addTalk(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  answering(program.command('ask').argument('<message...>', 'what you would say'))
    .description('say one message and print the answer')
    .action(async (words: string[], options: AnswerOptions) =>
      done(await askCommand(context, words.join(' '), options)),
    )
  onLineOption(program.command('chat'))
    .description('talk in this terminal')
    .action(async ({ line }: LineOption) => done(await chatCommand(context, line)))
}

export const TALK: LocalCommand = {
  names: ['ask', 'chat'],
  why: 'terminal',
  reason: 'it is the conversation itself',
  add: addTalk,
}
