/**
 * What home tells the edge of its owner's grants (F-13, X-05): those for whoever asks, under a template that may run at the
 * edge; ids and names, no content. Checked on arrival like everything that crosses. Must not count: home does, when it is
 * asked. Called by body.ts and by both places.
 */
import * as z from 'zod/mini'
import { ASKER, type FieldGrant, type Grant } from '../flow/grant.ts'
import { rankOf } from '../flow/level.ts'
import { PLACE_CLEARANCE } from '../flow/place.ts'
import type { Template } from '../template/template.ts'

/** Grants that the edge is told of: an owner gives few, and each is looked at for every word of a stranger's. */
export const MAX_TOLD_GRANTS = 50
/** UTF-16 units of an id or a name, fields of one grant. */
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

/** To whoever asks, always. `expiresAt` is epoch milliseconds, by the clock of who tells. */
export type ToldGrant = z.output<typeof toldGrantsSchema>[number]

export interface Telling {
  readonly templates: readonly Template[]
  /** Epoch milliseconds. */
  readonly now: number
}

/** Of home's grants, what the edge needs: live ones, of fields, to whoever asks, under a template that fits the edge. */
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
 * As the edge looks at it, by its own clock: `ahead` is how many milliseconds that is ahead of home's (T-14). It may be used
 * no times here: whoever would count a use at the edge is refused.
 */
export function heldGrant(told: ToldGrant, ahead: number): FieldGrant {
  const standing = { createdAt: 0, expiresAt: told.expiresAt + ahead, revoked: false, perDay: 0 }
  return { ...told, ...standing, kind: 'fields', sink: ASKER }
}
