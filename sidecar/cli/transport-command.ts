/**
 * `pfar telegram acknowledge`: one bot for both lines (DESIGN §1). Says what that costs and puts the card, which wants a yes of its own;
 * `--revoke` ends it. Must not allow anything. Called by program.ts, and by the Telegram step of `pfar init`.
 */
import { allowed } from '../../kernel/flow/verdict.ts'
import { newMessage, showPut } from './approvals-command.ts'
import { type CommandContext, type ExitCode, onLine } from './command.ts'

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
      return put.ok ? showPut(context, link, put.value.approval) : put
    }
    const revoked = await link.transport.revoke()
    if (!revoked.ok) return revoked
    context.screen.out('Taken back. From now on home says nothing there; what it said stays in the chat.')
    return allowed(0)
  })
}
