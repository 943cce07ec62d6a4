/**
 * `pfar memory`, `pfar memory forget <which>` and `pfar memory correct <which> <text>`: what the assistant remembers, to
 * look at and to put right (E-20). Must not change anything that the owner did not name: a number means the list as it is
 * now. Called by program.ts.
 */
import { allowed, type Result, refused } from '../../kernel/flow/verdict.ts'
import type { Keepsake } from '../../kernel/runtime/keepsakes.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import type { Line, Link } from './link.ts'
import { renderKeepsakes } from './render-memory.ts'

export interface MemoryOptions {
  readonly line: Line
  readonly json: boolean
}

export type MemoryChange =
  | { readonly do: 'forget'; readonly which: string }
  | { readonly do: 'correct'; readonly which: string; readonly text: string }

export async function memoryCommand(context: CommandContext, options: MemoryOptions): Promise<ExitCode> {
  return onLine(context, { line: options.line, start: true }, async (link) => {
    const known = await link.memory()
    if (!known.ok) return known
    const { value } = known
    context.screen.out(options.json ? JSON.stringify(value, null, 2) : renderKeepsakes(value, Date.now()))
    return allowed(0)
  })
}

export async function changeMemoryCommand(
  context: CommandContext,
  line: Line,
  change: MemoryChange,
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const found = await find(link, change.which)
    if (!found.ok) return found
    const { id, told, kind } = found.value
    const done = await (change.do === 'forget' ? link.forget(id) : link.correct(id, change.text))
    if (!done.ok) return done
    context.screen.out(change.do === 'forget' ? 'Forgotten.' : 'Corrected.')
    if (told) context.screen.out('The open line still has its own: pfar memory --line open')
    else if (line === 'open' && kind === 'result')
      context.screen.out('Home may have a copy of its own: pfar memory')
    return allowed(0)
  })
}

async function find(link: Link, which: string): Promise<Result<Keepsake>> {
  const known = await link.memory()
  if (!known.ok) return known
  const byNumber = /^\d{1,3}$/.test(which) ? known.value[Number(which) - 1] : undefined
  const found = byNumber ?? known.value.find(({ id }) => id === which)
  return found === undefined ? refused('memory_unknown') : allowed(found)
}
