/**
 * Expands a prompt command of the owner (O-21): `/today` is replaced by the owner's stored text before anything else
 * reads the message, so it is planned, approved and answered as if typed. Must not expand the words of others or
 * quoted text. Called by intake.ts.
 */

import { commandsAt } from '../../operations/commands.ts'
import type { Sent } from '../../pipeline/route.ts'
import type { OwnerPrompts } from '../../powers/ports.ts'
import { commandIn } from '../../task/command.ts'

export function withPrompt(powers: OwnerPrompts, sent: Sent): Sent {
  const { event, principal } = sent
  const said = principal.class === 'owner' && event.kind === 'message' ? commandIn(event.text) : null
  const prompt = commandsAt(powers.commands ?? [], event.place).find(
    ({ name }) => name === said?.name,
  )?.prompt
  if (said === null || prompt === undefined) return sent
  return { ...sent, event: { ...event, text: said.rest === '' ? prompt : `${prompt}\n${said.rest}` } }
}
