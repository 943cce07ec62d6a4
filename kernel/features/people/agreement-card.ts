/**
 * Card shown before the owner invites somebody, and notice once that person came (B-04): who, what they may do,
 * where, how long, how it ends. Kernel words, ids, the owner's name for them, and the displayable part of their own
 * name. Must make the consequences clear. Called by people.ts and invitations.ts.
 */
import type { Template } from '../../template/template.ts'
import { plainHandle } from '../../wording/strangers.ts'
import { showUnseen } from '../../wording/visible.ts'

/** UTF-16 units of a displayed name. */
export const MOST_OF_A_NAME = 80

export interface InvitationTerms {
  readonly name: string
  readonly templates: readonly Pick<Template, 'id' | 'description' | 'tools'>[]
  /** Epoch milliseconds. */
  readonly openUntil: number
  readonly expiresAt: number
}

export function invitationCard({ name, templates, openUntil, expiresAt }: InvitationTerms): string {
  return [
    `May I take whoever sends me the code that you were shown for ${name}?`,
    'What that person may do then, in the chat that the code came by, and nowhere else:',
    ...templates.map(({ id, description, tools }) => `  - ${id}: ${description} (${tools.join(', ')})`),
    'None of it shows that person what is yours, but for what `pfar grants` allows to be told.',
    `The code is good until ${momentOf(openUntil)}, once. What is agreed ends on ${dayOf(expiresAt)}.`,
    'I can tell you which account came, and not who holds it: give the code to nobody else.',
    'This widens what I may do, so I ask for it in a message of its own. `pfar people revoke` takes it back.',
  ].join('\n')
}

export interface Came {
  readonly id: string
  readonly name: string
  /** Name shown by the channel, chosen by that person; empty when the channel gives none. */
  readonly handle: string
  readonly principal: string
  readonly sink: string
}

export function cameCard({ id, name, handle, principal, sink }: Came): string {
  const own = plainHandle(handle)
  const called = own === '' ? '' : `, who goes by “${own}” there`
  return [
    `Your invitation for ${name} was taken up by ${plain(principal, 'principal:')}${called}, in ${plain(sink, 'sink:')}.`,
    `If that is not who you meant: pfar people revoke ${id}`,
  ].join('\n')
}

/** A name on one line, without invisible characters. */
export function shownName(name: string): string {
  const seen = showUnseen(name.replaceAll(/\s+/g, ' ').trim())
  return seen.length <= MOST_OF_A_NAME ? seen : `${seen.slice(0, MOST_OF_A_NAME)}…`
}

function plain(id: string, prefix: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
