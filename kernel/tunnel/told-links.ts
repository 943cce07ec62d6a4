/**
 * What crosses the tunnel of identity links (F-15, F-16): codes that were said in chats of the edge, to home; and to the edge
 * the links that are live and concern a chat of its own, ids and nothing else. Checked on arrival like everything that
 * crosses. Called by body.ts and by both places.
 */
import * as z from 'zod/mini'
import type { IdentityLink } from '../task/identity-link.ts'

/** Links that the edge is told of: one person has few accounts, and each is looked at for every message. */
export const MAX_TOLD_LINKS = 50
/** UTF-16 units of the id of a link or an event, and of a principal's or a chat's; no platform's id comes near it. */
const MOST = Object.freeze({ id: 200, name: 1_000 })

const id = z.string().check(z.minLength(1), z.maxLength(MOST.id))
const name = z.string().check(z.minLength(1), z.maxLength(MOST.name))

export const saidCodeSchema = z.strictObject({
  event: id,
  principal: name,
  sink: name,
  // Loose: it waits sealed, and what cannot be a code proves nothing.
  code: id,
  /** A code of an invitation (B-04); absent for one of a link. */
  as: z.exactOptional(z.literal('person')),
  /** What the channel calls who said it. */
  handle: z.exactOptional(z.string().check(z.maxLength(MOST.name))),
})

const end = z.strictObject({ principal: name, sink: z.nullable(name) })

export const toldLinksSchema = z
  .array(z.strictObject({ id, ends: z.tuple([end, end]) }))
  .check(z.maxLength(MAX_TOLD_LINKS))

/** Ids of links that have ended at the edge. */
export const unlinkedSchema = z.array(id).check(z.maxLength(MAX_TOLD_LINKS))

/** A code that was said in a chat of the edge; `event` names the message: a second delivery of it is the same. */
export type SaidCode = z.output<typeof saidCodeSchema>

/** `sink`: the chat of the edge in which that end proved itself; null for an end at home. */
export type ToldLink = z.output<typeof toldLinksSchema>[number]

/** Of home's links, what the edge needs: those that are live and have an end there. */
export function toldLinks(links: readonly IdentityLink[]): ToldLink[] {
  return links
    .filter(({ state, ends }) => state === 'live' && ends.some(({ at }) => at === 'edge'))
    .slice(-MAX_TOLD_LINKS)
    .map(({ id: link, ends: [one, other] }) => ({ id: link, ends: [endOf(one), endOf(other)] }))
}

function endOf({ principal, sink, at }: IdentityLink['ends'][number]): ToldLink['ends'][number] {
  return { principal, sink: at === 'edge' ? sink : null }
}
