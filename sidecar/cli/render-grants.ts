/**
 * How grants look in a terminal. Pure: text in, text out; nothing that could move the cursor passes. Called by the
 * `grants` command.
 */
import type { GrantView } from '../../kernel/runtime/grants.ts'
import { terminalLine, terminalText } from './terminal-text.ts'

export function renderGrants(grants: readonly GrantView[]): string {
  if (grants.length === 0) return 'Nothing is allowed in advance.'
  return grants.map(renderGrant).join('\n\n')
}

function renderGrant({ id, state, card }: GrantView): string {
  const lines = terminalText(card).trimEnd().split('\n')
  return [`${terminalLine(id)} · ${state}`, ...lines.map((line) => `   ${line}`)].join('\n')
}
