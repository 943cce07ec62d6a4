/**
 * `pfar pause` and `pfar resume`: sends the chat's command over a line. Starts nothing: a place that is not running has
 * nothing to pause. Called by program.ts.
 */
import { ok } from '../../../kernel/flow/verdict.ts'
import { ask } from '../chat/ask.ts'
import { type CommandContext, type ExitCode, onLine, patienceOf } from '../command.ts'
import type { Line } from '../line/link.ts'
import { printReport } from './ask-command.ts'

/** Seconds to wait for the answer. */
const PATIENCE = 60

export async function pauseCommand(context: CommandContext, line: Line, word: string): Promise<ExitCode> {
  return onLine(context, { line, start: false }, async (link, attachment) => {
    const report = await ask(link, word, patienceOf(context.screen, PATIENCE, attachment))
    return report.ok ? ok(printReport(context, report.value, false)) : report
  })
}
