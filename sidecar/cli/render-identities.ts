/**
 * How identity links look in a terminal. Pure: text in, text out; nothing that could move the cursor passes. Called by the
 * `identities` command.
 */
import type { LinkView, Started } from '../../kernel/runtime/identity-links.ts'
import { terminalLine } from './terminal-text.ts'

const MINUTE = 60_000

const STATES: Readonly<Record<LinkView['state'], string>> = {
  asked: 'waits for their codes',
  proven: 'waits for your yes: pfar approvals',
  live: 'linked',
  ended: 'never came about',
  removed: 'unlinked',
}

export function renderIdentities(links: readonly LinkView[]): string {
  if (links.length === 0) return 'No two accounts are linked. Each person’s account stands for itself.'
  return links.map(renderLink).join('\n\n')
}

function renderLink({ id, state, ends }: LinkView): string {
  const lines = ends.map(({ principal, class: as, proved }) => {
    const open = state === 'asked' ? (proved ? ' · has said its code' : ' · has not said its code') : ''
    return `   ${plain(principal)} · counts as ${as.replaceAll('_', ' ')}${open}`
  })
  return [`${terminalLine(id)} · ${STATES[state]}`, ...lines].join('\n')
}

/** The codes are shown here and nowhere else. */
export function renderStarted({ link, ends, expiresAt }: Started, now: number): string {
  const minutes = Math.max(1, Math.round((expiresAt - now) / MINUTE))
  return [
    'Nothing is linked yet. Each of the two must send its own line, as a message of its own, from its own chat:',
    ...ends.map(({ principal, say }) => `   ${plain(principal)}:   ${terminalLine(say)}`),
    `They are good for ${minutes} minutes. Then I ask you: pfar approvals   To give up: pfar identities unlink ${terminalLine(link)}`,
  ].join('\n')
}

function plain(principal: string): string {
  return terminalLine(principal.replace(/^principal:/, ''))
}
