/**
 * `pfar whoami`: asks every model of a place its name, and fails if one of them says another (N-28). Must not interpret
 * anything else that a model says. Called by program.ts.
 */
import { ok } from '../../kernel/flow/verdict.ts'
import type { NameCheck } from '../../kernel/runtime/whoami.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import type { Line } from './link.ts'

export async function whoamiCommand(
  context: CommandContext,
  { line, json }: { readonly line: Line; readonly json: boolean },
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const checks = await link.whoAmI()
    if (!checks.ok) return checks
    const { screen } = context
    if (json) screen.out(JSON.stringify(checks.value, null, 2))
    else for (const check of checks.value) screen.out(lineOf(check))
    return ok(checks.value.every(({ passed }) => passed) ? 0 : 1)
  })
}

function lineOf({ model, locality, expected, answer, passed }: NameCheck): string {
  const said = answer ?? '(no answer)'
  return passed
    ? `PASS  ${model} (${locality}): ${said}`
    : `FAIL  ${model} (${locality}): ${said}, not ${expected}`
}
