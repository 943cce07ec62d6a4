/**
 * `pfar reload`: reads the owner's own prompt files again, and says what became of them (P-05). Must not show their text.
 * Called by program.ts.
 */
import { ok } from '../../kernel/flow/verdict.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'

/** Starts nothing: a home that is started reads them anyway. */
export async function reloadCommand(context: CommandContext): Promise<ExitCode> {
  return onLine(context, { line: 'private', start: false }, async (link) => {
    const reloaded = await link.reload()
    if (!reloaded.ok) return reloaded
    const { changed, tokens, notices } = reloaded.value
    const state = changed ? 'Read again.' : 'Nothing has changed.'
    context.screen.out(`${state} The system document takes about ${tokens} tokens of an answer to you.`)
    for (const notice of notices) context.screen.out(notice)
    return ok(0)
  })
}
