/**
 * `pfar <channel> acknowledge [--revoke]`: older spelling of two operations, under the channel's name. Must not allow
 * anything. Called by local/channel.ts.
 */
import { acknowledgeBot } from '../../../kernel/features/places/operations/acknowledge.ts'
import { withdrawBot } from '../../../kernel/features/places/operations/withdraw.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import { operationCommand } from './operation-command.ts'

export interface TransportOptions {
  readonly revoke?: boolean
}

export function transportCommand(
  context: CommandContext,
  { revoke = false }: TransportOptions,
): Promise<ExitCode> {
  const operation = revoke ? withdrawBot : acknowledgeBot
  return operationCommand(context, { operation, args: {}, line: 'private', json: false, yes: false })
}
