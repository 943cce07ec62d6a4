/**
 * Grants that home syncs to the edge (F-13, X-05): field grants to `ASKER` under a template that may run at the edge. Ids and
 * names, no content; validated on arrival. Must not count uses: home does, when it is asked. Called by body.ts and by both
 * places.
 */
import * as z from 'zod/mini'
import { ASKER, type FieldGrant, type Grant } from '../flow/grant.ts'
import { rankOf } from '../flow/level.ts'
import { PLACE_CLEARANCE } from '../flow/place.ts'
import type { Template } from '../template/template.ts'

/** Maximum number of synced grants: an owner gives few, and all are checked for every message of an unknown sender. */
export const MAX_TOLD_GRANTS = 50
/** Maximum UTF-16 units of an id or a name, and maximum fields of one grant. */
const MOST = Object.freeze({ name: 200, fields: 20 })

const name = z.string().check(z.minLength(1), z.maxLength(MOST.name))
const count = z.int().check(z.nonnegative())

export const toldGrantsSchema = z
  .array(
    z.strictObject({
      ...{ id: name, template: name, action: name, daysAhead: count, expiresAt: count },
      fields: z.array(name).check(z.maxLength(MOST.fields)),
    }),
  )
  .check(z.maxLength(MAX_TOLD_GRANTS))

/** Its sink is always `ASKER`. `expiresAt` is epoch milliseconds by the sender's clock. */
export type ToldGrant = z.output<typeof toldGrantsSchema>[number]

export interface Telling {
  readonly templates: readonly Template[]
  /** Epoch milliseconds. */
  readonly now: number
}

/** The grants that the edge needs: live field grants to `ASKER` under a template whose ceiling fits the edge. */
export function toldGrants(grants: readonly Grant[], { templates, now }: Telling): ToldGrant[] {
  const atEdge = templates.filter(({ ceiling }) => rankOf(ceiling.level) <= EDGE).map(({ id }) => id)
  return grants
    .filter((grant) => grant.kind === 'fields')
    .filter(({ sink, template }) => sink === ASKER && atEdge.includes(template))
    .filter(({ revoked, expiresAt }) => !revoked && expiresAt > now)
    .slice(-MAX_TOLD_GRANTS)
    .map(({ id, template, action, fields, daysAhead, expiresAt }) => ({
      ...{ id, template, action, fields: [...fields], daysAhead, expiresAt },
    }))
}

const EDGE = rankOf(PLACE_CLEARANCE.edge.level)

/**
 * The grant as the edge checks it, by its own clock: `ahead` is how many milliseconds that clock is ahead of home's (T-14). Its
 * daily uses are 0, so any attempt to count a use at the edge is refused.
 */
export function heldGrant(told: ToldGrant, ahead: number): FieldGrant {
  const standing = { createdAt: 0, expiresAt: told.expiresAt + ahead, revoked: false, perDay: 0 }
  return { ...told, ...standing, kind: 'fields', sink: ASKER }
}
