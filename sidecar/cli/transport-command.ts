/**
 * `pfar channel acknowledge`: one bot for both lines (DESIGN §1). Says what that costs and puts the card, which wants a yes of its own;
 * `--revoke` ends it. Must not allow anything. Called by channel-program.ts.
 */
import { ok } from '../../kernel/flow/verdict.ts'
import { newMessage } from './cards.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'
import { showPut } from './put-card.ts'

export interface TransportOptions {
  readonly revoke?: boolean
}

export function transportCommand(
  context: CommandContext,
  { revoke = false }: TransportOptions,
): Promise<ExitCode> {
  return onLine(context, { line: 'private', start: true }, async (link) => {
    if (!revoke) {
      const put = await link.transport.acknowledge(newMessage())
      if (put.ok) return showPut(context, link, put.value.approval)
      if (put.reason.code !== 'sink_unknown') return put
      context.screen.err(NO_BOT)
      return ok(1)
    }
    const revoked = await link.transport.revoke()
    if (!revoked.ok) return revoked
    context.screen.out('Taken back. From now on home says nothing there; what it said stays in the chat.')
    return ok(0)
  })
}

const NO_BOT =
  'Your edge has no bot yet, so there is no chat to agree to. `pfar channel connect` gives it one; then say this again.'
