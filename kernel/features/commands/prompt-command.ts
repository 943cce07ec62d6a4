/**
 * A prompt command of the owner's (O-21): `/today` says what it stands for, in his words, before anything else reads the message,
 * so that it is planned, asked about and answered as if he had typed it. Must not expand anybody else's words, nor what he
 * quoted. Called by the shell's intake.
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
