/**
 * Cards that ask whether the edge may have data of home (F-17): answers of home in the edge's chat, and due times of reminders.
 * Only home shows them, so the edge's bundle has none of their words. Called by places/both-lines.ts and reminders/away.ts.
 */
import type { DueTimesGrant, TransportGrant } from '../../flow/grant.ts'
import { tell } from '../../wording/words.ts'
import { dayOf } from './grant-card.ts'

/** `chat`: the owner's name for the chat's service. */
export function bothLinesCard({ template, expiresAt }: TransportGrant, chat: string): string {
  return tell('grants.both_lines_card', { template, chat, day: dayOf(expiresAt) })
}

export function dueTimesCard({ expiresAt }: DueTimesGrant): string {
  return tell('grants.due_times_card', { day: dayOf(expiresAt) })
}
