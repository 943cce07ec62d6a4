/**
 * `pfar memory`, and its `forget`, `undo` and `correct`: what the assistant remembers, to look at and to put right (E-20). Must not change
 * anything that the owner did not name and, to be forgotten, did not see. Called by memory-program.ts.
 */
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Keepsake } from '../../kernel/runtime/keepsakes.ts'
import { yesIn } from '../init/answers.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import type { Line, Link } from './link.ts'
import { renderKeepsake, renderKeepsakes } from './render-memory.ts'

export interface MemoryOptions {
  readonly line: Line
  readonly json: boolean
}

export type MemoryChange =
  | { readonly do: 'forget'; readonly which: string; readonly yes: boolean }
  | { readonly do: 'correct'; readonly which: string; readonly text: string }
  | { readonly do: 'undo'; readonly number: number | null }

/** Null when the owner left. */
export type Ask = (question: string) => Promise<string | null>

export async function memoryCommand(context: CommandContext, options: MemoryOptions): Promise<ExitCode> {
  return onLine(context, { line: options.line, start: true }, async (link) => {
    const known = await link.memory()
    if (!known.ok) return known
    const { value } = known
    context.screen.out(options.json ? JSON.stringify(value, null, 2) : renderKeepsakes(value, Date.now()))
    return ok(0)
  })
}

export async function changeMemoryCommand(
  context: CommandContext,
  { line, ask }: { readonly line: Line; readonly ask: Ask },
  change: MemoryChange,
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    if (change.do === 'undo') return undo(context, link, change.number)
    const found = await link.memoryEntry(change.which)
    if (!found.ok) return found
    const { id } = found.value
    if (change.do === 'forget' && !(await isSure({ context, ask }, found.value, change.yes))) return ok(1)
    const done = await (change.do === 'forget' ? link.forget(id) : link.correct(id, change.text))
    if (!done.ok) return done
    context.screen.out(change.do === 'forget' ? FORGOTTEN : 'Corrected.')
    elsewhere(context, line, found.value)
    return ok(0)
  })
}

const FORGOTTEN = 'Forgotten. For ten minutes `pfar memory undo` brings it back.'

/** What goes is shown before it goes; anything but a yes leaves it. */
async function isSure(
  { context, ask }: { readonly context: CommandContext; readonly ask: Ask },
  kept: Keepsake,
  yes: boolean,
): Promise<boolean> {
  context.screen.out(renderKeepsake(kept, Date.now()))
  if (yes || yesIn((await ask('\nForget this? (yes, no)\n[no] > ')) ?? '') === true) return true
  context.screen.err('Nothing was forgotten.')
  return false
}

async function undo(context: CommandContext, link: Link, number: number | null): Promise<Result<ExitCode>> {
  const back = await link.undoForget(number)
  if (!back.ok && back.reason.code === 'memory_gone') {
    context.screen.err('There is nothing to bring back: a forgotten entry is gone after ten minutes.')
    return ok(1)
  }
  if (!back.ok) return back
  context.screen.out(`Remembered again:\n${renderKeepsake(back.value, Date.now())}`)
  return ok(0)
}

function elsewhere({ screen }: CommandContext, line: Line, { told, kind }: Keepsake): void {
  if (told) screen.out('The open line still has its own: pfar memory --line open')
  else if (line === 'open' && kind === 'result') screen.out('Home may have a copy of its own: pfar memory')
}
