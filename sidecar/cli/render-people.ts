/**
 * How paired people look in a terminal. Pure: text in, text out; nothing that could move the cursor passes. Called by
 * people-command.ts.
 */
import type { Invited, PersonView } from '../../kernel/runtime/people.ts'
import { terminalLine } from './terminal-text.ts'

const HOUR = 3_600_000

const STATES: Readonly<Record<PersonView['state'], string>> = {
  asked: 'waits for your yes: pfar approvals',
  open: 'invited, and has not come yet',
  live: 'paired',
  ended: 'over',
  revoked: 'taken back',
}

export function renderPeople(people: readonly PersonView[]): string {
  if (people.length === 0)
    return 'You are paired with nobody. Whoever else writes is a stranger. To invite somebody: pfar people invite'
  return people.map(renderLine).join('\n')
}

function renderLine({ id, name, state, principal }: PersonView): string {
  const who = principal === null ? '' : ` · ${plain(principal)}`
  return `${terminalLine(id)} · ${terminalLine(name)}${who} · ${STATES[state]}`
}

export function renderPerson(person: PersonView): string {
  const { handle, principal, sink, templates, state, openUntil, expiresAt } = person
  const came =
    principal === null || sink === null
      ? []
      : [
          `   account: ${plain(principal)}${handle === '' ? '' : `, “${terminalLine(handle)}” by his own words`}`,
          `   in: ${plain(sink)}`,
        ]
  const code = state === 'asked' || state === 'open' ? [`   code good until ${momentOf(openUntil)}`] : []
  return [
    renderLine(person),
    ...came,
    `   may start: ${templates.map(terminalLine).join(', ')}`,
    ...code,
    `   until ${momentOf(expiresAt).slice(0, 10)}`,
  ].join('\n')
}

/** The code is shown here and nowhere else. */
export function renderInvited({ agreement, say, openUntil }: Invited, now: number): string {
  const hours = Math.max(1, Math.round((openUntil - now) / HOUR))
  return [
    'Once you have said yes to the card below, whoever sends this line from a chat with your assistant is that person:',
    `   ${terminalLine(say)}`,
    `It is shown this once, works once, and for ${hours} hours. To give up: pfar people revoke ${terminalLine(agreement)}`,
    '',
  ].join('\n')
}

function plain(id: string): string {
  return terminalLine(id.replace(/^(?:principal|sink):/, ''))
}

function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
