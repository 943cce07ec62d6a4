/**
 * `pfar ask` and `pfar chat`, and the commands that send a chat's own command over a line: `context`, `mode`, `pause`,
 * `resume`. Must print nothing but the answer (or one JSON document) on stdout. Listed in index.ts.
 */
import { ok } from '../../../kernel/flow/verdict.ts'
import { operationNamed } from '../../../kernel/operations/index.ts'
import type { TaskReport } from '../../../kernel/runtime/report.ts'
import { answerInMessage } from '../../../kernel/task/answers/answer-words.ts'
import { PAUSE, RESUME } from '../../../kernel/task/command.ts'
import { tell } from '../../../kernel/wording/words.ts'
import { speakAsHome } from '../../language/spoken-language.ts'
import { ask } from '../chat/ask.ts'
import { chat } from '../chat/chat.ts'
import { shownAnswer } from '../chat/shown-card.ts'
import { type CommandContext, type ExitCode, onLine, patienceOf, printReport } from '../command.ts'
import { operationCommand } from '../commands/operation-command.ts'
import type { Line } from '../line/link.ts'
import { type AnswerOptions, answering, type LineOption, onLineOption } from '../options.ts'
import { statePaths } from '../state-paths.ts'
import type { LocalCommand } from './local.ts'

export const TALK: LocalCommand = {
  names: ['ask', 'chat'],
  why: 'terminal',
  reason: 'it is the conversation itself',
  add(program, run) {
    answering(program.command('ask').argument('<message...>', 'what you would say'))
      .description('say one message and print the answer')
      .action((words: string[], options: AnswerOptions) => run(asking(words.join(' '), options)))
    onLineOption(program.command('chat'))
      .description('talk in this terminal')
      .action(({ line }: LineOption) => run((context) => talk(context, line)))
  },
}

export const SAID: LocalCommand = {
  names: ['context', 'mode', 'pause', 'resume'],
  why: 'said',
  reason: 'the chats answer it, on the line that it is said on',
  add(program, run) {
    answering(program.command('context'))
      .description('where the tokens of the next prompt go')
      .action((options: AnswerOptions) => run(asking('/context', options)))
    answering(program.command('mode').argument('[mode]', 'execute, build, analyze, maintain, assist or auto'))
      .description('how you are answered, from now on')
      .action((mode: string | undefined, options: AnswerOptions) =>
        run(asking(mode === undefined ? '/mode' : `/mode ${mode}`, options)),
      )
    onLineOption(program.command('pause'))
      .description('do nothing until `pfar resume`; what comes meanwhile is kept')
      .action((options: LineOption) => run(asking(PAUSE, { ...options, ...ORDERED })))
    onLineOption(program.command('resume'))
      .description('go on; a pause that was said at home is ended there alone')
      .action((options: LineOption) => run(asking(RESUME, { ...options, ...ORDERED })))
  },
}

/** Starts nothing: a place that is not running has nothing to pause. `timeout`: seconds. */
const ORDERED = { json: false, timeout: 60, start: false } as const

function asking(text: string, { line, json, timeout, start = true }: AnswerOptions & { start?: boolean }) {
  return (context: CommandContext): Promise<ExitCode> =>
    answerShown(context, text, { line, json, timeout }) ??
    onLine(context, { line, start }, async (link, attachment) => {
      const report = await ask(link, text, patienceOf(context.screen, timeout, attachment))
      return report.ok ? ok(printReport(context, saidNo(report.value, text), json)) : report
    })
}

/** A no ends the request of its card, so its report has nothing more to show. */
function saidNo(report: TaskReport, text: string): TaskReport {
  const isNo = report.task.state === 'cancelled' && answerInMessage(text)?.decision === 'deny'
  return isNo && report.reply === null ? { ...report, reply: tell('approvals.said_no') } : report
}

/** A bare yes or no, or an option's number, after a card of `pfar ask` is `pfar approve` or `pfar deny` of that card; null for other words. */
function answerShown(
  context: CommandContext,
  text: string,
  options: AnswerOptions,
): Promise<ExitCode> | null {
  const said = shownAnswer(statePaths(context.environment).shownCard, options.line, text)
  const operation = said === null ? null : operationNamed(`approvals.${said.decision}`)
  if (said === null || operation === null) return null
  return operationCommand(context, { operation, args: { which: said.approval }, yes: true, ...options })
}

function talk(context: CommandContext, line: Line): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (_link, attachment) => {
    const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true
    const speak = () => speakAsHome(statePaths(context.environment).root)
    const streams = { input: process.stdin, output: process.stdout, terminal }
    await chat({ attachment, screen: context.screen, ...streams, speak })
    return ok(0)
  })
}
