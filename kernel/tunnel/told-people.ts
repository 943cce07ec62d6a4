/**
 * Pairing agreements that home syncs to the edge (B-04): live ones whose chat is at the edge, as ids only. Validated on
 * arrival. Called by body.ts and by both places.
 */
import * as z from 'zod/mini'
import { type Agreement, isLive } from '../task/agreement.ts'

/** Maximum number of synced agreements: an owner pairs with few people, and all are checked for every message. */
export const MAX_TOLD_PEOPLE = 100
/**
 * Maximum UTF-16 units of the id of a record or a template, and of a principal's or a chat's; maximum templates of one
 * agreement.
 */
const MOST = Object.freeze({ id: 200, name: 1_000, templates: 20 })

const id = z.string().check(z.minLength(1), z.maxLength(MOST.id))
const name = z.string().check(z.minLength(1), z.maxLength(MOST.name))

export const toldPeopleSchema = z
  .array(
    z.strictObject({
      ...{ id, principal: name, sink: name, expiresAt: z.int().check(z.nonnegative()) },
      templates: z.array(id).check(z.maxLength(MOST.templates)),
    }),
  )
  .check(z.maxLength(MAX_TOLD_PEOPLE))

/** `sink`: the chat of the edge in which that person entered the code. `expiresAt`: epoch milliseconds, by home's clock. */
export type ToldPerson = z.output<typeof toldPeopleSchema>[number]

/** The agreements that the edge needs. */
export function toldPeople(agreements: readonly Agreement[], now: number): ToldPerson[] {
  return agreements
    .flatMap((agreement) => {
      const { id: of, principal, sink, at, templates, expiresAt } = agreement
      const isThere = isLive(agreement, now) && at === 'edge' && principal !== null && sink !== null
      return isThere ? [{ id: of, principal, sink, expiresAt, templates: [...templates] }] : []
    })
    .slice(-MAX_TOLD_PEOPLE)
}
