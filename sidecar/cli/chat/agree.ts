/**
 * Shows a card of `pfar init` that would give more readers access, in full, and asks for approval in a separate message
 * (F-17). Any answer but yes denies it. Called by the steps.
 */
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import { type CommandContext, onLine } from '../command.ts'
import type { Link } from '../line/link.ts'
import { decideOn, waitingOn } from './cards.ts'
import { terminalText } from './terminal-text.ts'

/** Whether it was approved. */
export async function agree(
  context: CommandContext,
  put: (link: Link) => Promise<Result<{ readonly approval: string }>>,
  ask: (question: string) => Promise<string | null>,
): Promise<boolean> {
  let given = false
  await onLine(context, { line: 'private', start: true }, async (link) => {
    const asked = await put(link)
    if (!asked.ok) return asked
    const card = await cardOf(link, asked.value.approval)
    if (!card.ok) return card
    context.screen.out(`\n${card.value}`)
    given = /^yes$/i.test((await ask('\nType yes to allow exactly this: ')) ?? '')
    const decided = await decideOn(link, asked.value.approval, given ? 'approve' : 'deny')
    if (!decided.ok) given = false
    return decided.ok ? ok(0) : decided
  })
  return given
}

async function cardOf(link: Link, id: string): Promise<Result<string>> {
  const waiting = await waitingOn(link)
  if (!waiting.ok) return waiting
  const view = waiting.value.find((one) => one.id === id)
  return ok(terminalText(view?.full ?? '').trimEnd())
}
