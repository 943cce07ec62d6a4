/**
 * `pfar ask "…"`: sends one message as the owner and prints the answer. Must print nothing else (or one JSON document)
 * on stdout. Called by program.ts.
 */
import { ok } from '../../../kernel/flow/verdict.ts'
import type { TaskReport } from '../../../kernel/runtime/report.ts'
import { ask } from '../chat/ask.ts'
import { renderHowToApprove, renderReply, renderTrail } from '../chat/render.ts'
import { type CommandContext, type ExitCode, onLine, patienceOf } from '../command.ts'
import type { Line } from '../line/link.ts'

export interface AskOptions {
  readonly line: Line
  readonly json: boolean
  /** Seconds. */
  readonly timeout: number
}

export async function askCommand(
  context: CommandContext,
  text: string,
  options: AskOptions,
): Promise<ExitCode> {
  return onLine(context, { line: options.line, start: true }, async (link, attachment) => {
    const report = await ask(link, text, patienceOf(context.screen, options.timeout, attachment))
    if (!report.ok) return report
    return ok(printReport(context, report.value, options.json))
  })
}

/**
 * A card counts as an answer: it says what is pending and how to continue. A failed task has an answer but exits as
 * failed.
 */
export function printReport({ screen }: CommandContext, report: TaskReport, json: boolean): ExitCode {
  const failed = report.task.state === 'failed'
  if (json) {
    screen.out(JSON.stringify(report, null, 2))
  } else {
    if (failed) screen.err(renderReply(report))
    else screen.out(renderReply(report))
    if (report.task.approval !== null) screen.err(renderHowToApprove(report.task.approval, report.task.place))
    screen.err(screen.dim(renderTrail(report)))
  }
  if (failed && json) screen.err(renderReply(report))
  return failed ? 1 : 0
}
