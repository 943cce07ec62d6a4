/**
 * Words of the answers to commands of a chat: the commands (O-21), answer style and the space of a prompt (P-18, P-30).
 * They quote nobody but the description of an owner-defined command. Called by own-commands.ts and the terminal chat.
 */

import { commandsAt } from '../../operations/commands.ts'
import type { OwnerPrompts } from '../../powers/ports.ts'
import type { Steering } from '../../prompt/signal/signal.ts'
import type { ContextReport } from '../../prompt/weigh.ts'
import { type Command, commandIn } from '../../task/command.ts'
import { tell } from '../../wording/words.ts'
import type { Sent } from '../people/route.ts'

/** No column of spaces: the letters of a messenger differ in width. */
export function commandLines(commands: readonly Command[]): readonly string[] {
  return commands.map(({ name, takes, description }) => {
    const said = takes === undefined ? `/${name}` : `/${name} ${takes}`
    return `${said}: ${description}`
  })
}

export function commandsText(commands: readonly Command[]): string {
  return [...commandLines(commands), tell('commands.or_write')].join('\n')
}

export function toneText({ mode, verbosity }: Steering): string {
  return tell('commands.mode', {
    mode: mode ?? tell('commands.mode_auto'),
    length: verbosity ?? tell('commands.length_free'),
  })
}

/** Width of the column of names, in UTF-16 units; aligns the numbers. */
const LINE_WIDTH = 24
const NUMBER_WIDTH = 7

/**
 * `model`: id of the model that would read the prompt. `reported`: tokens that it counted in the last prompt, if it
 * counts.
 */
export function contextText(
  { lines, used, window, reserve, free }: ContextReport,
  { model, reported }: { readonly model: string; readonly reported: number | null },
): string {
  const row = (name: string, tokens: number, note = ''): string =>
    `${name.padEnd(LINE_WIDTH)}${String(tokens).padStart(NUMBER_WIDTH)}${note}`
  return [
    tell('commands.context', { model }),
    ...lines.map(({ name, tokens, truncated }) => row(name, tokens, truncated ? '  truncated' : '')),
    row('together', used),
    row('kept for the answer', reserve),
    row('free', free),
    row('window', window),
    ...(reported === null ? [] : [tell('commands.context_read', { tokens: reported })]),
  ].join('\n')
}

export function withPrompt(powers: OwnerPrompts, sent: Sent): Sent {
  const { event, principal } = sent
  const said = principal.class === 'owner' && event.kind === 'message' ? commandIn(event.text) : null
  if (said === null) return sent
  const { prompt } =
    commandsAt(powers.commands ?? [], event.place).find(({ name }) => name === said.name) ?? {}
  if (prompt === undefined) return sent
  return { ...sent, event: { ...event, text: said.rest === '' ? prompt : `${prompt}\n${said.rest}` } }
}
