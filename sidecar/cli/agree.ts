/**
 * Creates the card for a change that gives somebody more access, shows it, and submits the owner's yes or no to exactly that card
 * (F-17). Must not decide anything itself: the card's own rules apply. Called by `pfar init` and `pfar model add`.
 */
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { tell } from '../language/wording.ts'
import { decideOn, waitingOn } from './chat/cards.ts'
import { terminalText } from './chat/terminal-text.ts'
import { type CommandContext, onLine } from './command.ts'
import type { Link } from './line/link.ts'

/** True if the owner approved the card and it took effect. Prints a refusal. */
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
    given = /^(?:yes|ja)$/i.test((await ask(`\n${tell('terminal.type_yes')} `)) ?? '')
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
