/**
 * `pfar pause` and `pfar resume`: the words of the chat, said on a line and answered there. Starts nothing: a place that was started
 * for this command alone has nothing to hold up. Called by program.ts.
 */
import { ok } from '../../kernel/flow/verdict.ts'
import { ask } from './ask.ts'
import { printReport } from './ask-command.ts'
import { type CommandContext, type ExitCode, onLine, patienceOf } from './command.ts'
import type { Line } from './link.ts'

/** Seconds that the answer is waited for. */
const PATIENCE = 60

export async function pauseCommand(context: CommandContext, line: Line, word: string): Promise<ExitCode> {
  return onLine(context, { line, start: false }, async (link, attachment) => {
    const report = await ask(link, word, patienceOf(context.screen, PATIENCE, attachment))
    return report.ok ? ok(printReport(context, report.value, false)) : report
  })
}
