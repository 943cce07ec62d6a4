/**
 * `pfar usage`: what the models of both places cost. Each place counts its own; one that does not answer is named, so that
 * nobody takes a part for the whole. Must not add up what is in two currencies. Called by program.ts.
 */
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { USAGE_DAYS, type UsageReport } from '../../kernel/pipeline/usage-report.ts'
import { usageText } from '../../kernel/wording/usage.ts'
import { type CommandContext, type ExitCode, fail, type OnLine } from './command.ts'
import { terminalText } from './terminal-text.ts'

/** Rows of one list. */
const ROWS = 20

/** Failed when neither place answers. JSON: {home, edge}, null for a place that does not answer. */
export async function usageCommand(
  context: CommandContext,
  { days, json }: { readonly days: number; readonly json: boolean },
): Promise<ExitCode> {
  const most = Math.min(days, USAGE_DAYS.most)
  const home = await reportOf(context, { line: 'private', start: true }, most)
  const edge = await reportOf(context, { line: 'open', start: false }, most)
  if (!home.ok && !edge.ok) return fail(context, home)
  const { screen } = context
  const found = { home: home.ok ? home.value : null, edge: edge.ok ? edge.value : null }
  if (json) screen.out(JSON.stringify(found, null, 2))
  else screen.out(textOf(found))
  return 0
}

function textOf({ home, edge }: Readonly<Record<'home' | 'edge', UsageReport | null>>): string {
  const parts = [
    home === null
      ? 'Home does not answer: what it asked models for is not counted here.'
      : usageText(home, ROWS),
    edge === null
      ? 'The edge does not answer: what it asked models for is not counted here.'
      : usageText(edge, ROWS),
  ]
  return terminalText(parts.join('\n\n'))
}

async function reportOf(context: CommandContext, where: OnLine, days: number): Promise<Result<UsageReport>> {
  const attachment = await context.attach(where)
  if (!attachment.ok) return attachment
  try {
    const found = await attachment.value.link.usage(days)
    return found.ok ? ok(found.value) : found
  } finally {
    await attachment.value.close()
  }
}
