/**
 * Identity-link messages of the tunnel (F-15, F-16): codes typed in chats of the edge go to home; live links with an end at the
 * edge go to the edge, as ids only. Validated on arrival. Called by body.ts and by both places.
 */
import * as z from 'zod/mini'
import type { IdentityLink } from '../task/identity-link.ts'

/** Maximum number of synced links: one person has few accounts, and all are checked for every message. */
export const MAX_TOLD_LINKS = 50
/** Maximum UTF-16 units of the id of a link or an event, and of a principal's or a chat's. No platform's ids come close. */
const MOST = Object.freeze({ id: 200, name: 1_000 })

const id = z.string().check(z.minLength(1), z.maxLength(MOST.id))
const name = z.string().check(z.minLength(1), z.maxLength(MOST.name))

export const saidCodeSchema = z.strictObject({
  event: id,
  principal: name,
  sink: name,
  // Loose: it is queued sealed, and a text that cannot be a code proves nothing.
  code: id,
  /** Present for a code of an invitation (B-04); absent for one of a link. */
  as: z.exactOptional(z.literal('person')),
  /** Display name of the sender, from the channel. */
  handle: z.exactOptional(z.string().check(z.maxLength(MOST.name))),
})

const end = z.strictObject({ principal: name, sink: z.nullable(name) })

export const toldLinksSchema = z
  .array(z.strictObject({ id, ends: z.tuple([end, end]) }))
  .check(z.maxLength(MAX_TOLD_LINKS))

/** Ids of links that were ended at the edge. */
export const unlinkedSchema = z.array(id).check(z.maxLength(MAX_TOLD_LINKS))

/** A code that was typed in a chat of the edge. `event` names the message, so that a second delivery of it has no effect. */
export type SaidCode = z.output<typeof saidCodeSchema>

/** `sink`: the chat of the edge in which that end proved itself; null for an end at home. */
export type ToldLink = z.output<typeof toldLinksSchema>[number]

/** The links that the edge needs: live ones with an end there. */
export function toldLinks(links: readonly IdentityLink[]): ToldLink[] {
  return links
    .filter(({ state, ends }) => state === 'live' && ends.some(({ at }) => at === 'edge'))
    .slice(-MAX_TOLD_LINKS)
    .map(({ id: link, ends: [one, other] }) => ({ id: link, ends: [endOf(one), endOf(other)] }))
}

function endOf({ principal, sink, at }: IdentityLink['ends'][number]): ToldLink['ends'][number] {
  return { principal, sink: at === 'edge' ? sink : null }
}
