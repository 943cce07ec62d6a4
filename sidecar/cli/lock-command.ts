/**
 * `pfar lock` and `pfar unlock`: the edge gives up what it holds open, and takes nothing in until home says so. Must
 * not claim what the edge has not confirmed. Called by program.ts.
 */
import { ok } from '../../kernel/flow/verdict.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import type { Line } from './link.ts'

export interface LockOptions {
  readonly line: Line
  readonly locked: boolean
}

/** Starts nothing: a place that was started for this command alone has nothing to lock. */
export async function lockCommand(context: CommandContext, options: LockOptions): Promise<ExitCode> {
  return onLine(context, { line: options.line, start: false }, async (link) => {
    const told = await link.lock(options.locked)
    if (!told.ok) return told
    const state = options.locked ? 'locked' : 'unlocked'
    context.screen.out(
      told.value.done
        ? `The edge is ${state}.`
        : `The edge cannot be reached. It will be ${state} as soon as it is connected again.`,
    )
    return ok(0)
  })
}
