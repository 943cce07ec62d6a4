/**
 * Records that home syncs to the edge: grants (F-13, X-05), linked accounts and paired people,
 * and reports of undelivered messages. Ids and names, no content; validated on arrival. Must
 * not count uses: home does, when it is asked. Called by body.ts and by both places.
 */
import * as z from 'zod/mini'
import { ASKER, type FieldGrant, type Grant } from '../flow/grant.ts'
import type { DeepReadonly } from '../flow/json.ts'
import { rankOf } from '../flow/level.ts'
import { PLACE_CLEARANCE } from '../flow/place.ts'
import { isReasonCode, type ReasonCode } from '../reasons.ts'
import { type Agreement, isLive } from '../task/agreement.ts'
import type { IdentityLink } from '../task/identity-link.ts'
import type { Template } from '../template/template.ts'

/** Maximum number of synced grants: an owner gives few, and all are checked for every message of an unknown sender. */
export const MAX_SYNCED_GRANTS = 50
/**
 * Maximum UTF-16 units of the id of a record, an event or a template, and of a principal's or a chat's; no platform's ids come
 * close. Maximum fields of one grant, and templates of one agreement.
 */
const MOST = Object.freeze({ id: 200, name: 1_000, fields: 20, templates: 20 })

const id = z.string().check(z.minLength(1), z.maxLength(MOST.id))
const name = z.string().check(z.minLength(1), z.maxLength(MOST.name))
const count = z.int().check(z.nonnegative())

export const syncedGrantsSchema = z
  .array(
    z.strictObject({
      ...{ id, template: id, action: id, daysAhead: count, expiresAt: count },
      fields: z.array(id).check(z.maxLength(MOST.fields)),
    }),
  )
  .check(z.maxLength(MAX_SYNCED_GRANTS))

/** Its sink is always `ASKER`. `expiresAt` is epoch milliseconds by the sender's clock. */
export type SyncedGrant = DeepReadonly<z.output<typeof syncedGrantsSchema>>[number]

interface Telling {
  readonly templates: readonly Template[]
  /** Epoch milliseconds. */
  readonly now: number
}

/** The grants that the edge needs: live field grants to `ASKER` under a template whose ceiling fits the edge. */
export function syncedGrants(grants: readonly Grant[], { templates, now }: Telling): SyncedGrant[] {
  const atEdge = templates.filter(({ ceiling }) => rankOf(ceiling.level) <= EDGE).map(({ id }) => id)
  return grants
    .filter((grant) => grant.kind === 'fields')
    .filter(({ sink, template }) => sink === ASKER && atEdge.includes(template))
    .filter(({ revoked, expiresAt }) => !revoked && expiresAt > now)
    .slice(-MAX_SYNCED_GRANTS)
    .map(({ id, template, action, fields, daysAhead, expiresAt }) => ({
      ...{ id, template, action, fields: [...fields], daysAhead, expiresAt },
    }))
}

const EDGE = rankOf(PLACE_CLEARANCE.edge.level)

/**
 * The grant as the edge checks it, by its own clock: `ahead` is how many milliseconds that clock is ahead of home's (T-14). Its
 * daily uses are 0, so any attempt to count a use at the edge is refused.
 */
export function heldGrant(told: SyncedGrant, ahead: number): FieldGrant {
  const standing = { createdAt: 0, expiresAt: told.expiresAt + ahead, revoked: false, perDay: 0 }
  return { ...told, ...standing, kind: 'fields', sink: ASKER }
}

/** Maximum number of synced links: one person has few accounts, and all are checked for every message. */
export const MAX_SYNCED_LINKS = 50

export const codeUseSchema = z.strictObject({
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

export const syncedLinksSchema = z
  .array(z.strictObject({ id, ends: z.tuple([end, end]) }))
  .check(z.maxLength(MAX_SYNCED_LINKS))

/** Ids of links that were ended at the edge. */
export const unlinkedSchema = z.array(id).check(z.maxLength(MAX_SYNCED_LINKS))

/** A code that was typed in a chat of the edge. `event` names the message, so that a second delivery of it has no effect. */
export type CodeUse = DeepReadonly<z.output<typeof codeUseSchema>>

/** `sink`: the chat of the edge in which that end proved itself; null for an end at home. */
export type SyncedLink = DeepReadonly<z.output<typeof syncedLinksSchema>>[number]

/** The links that the edge needs: live ones with an end there. */
export function syncedLinks(links: readonly IdentityLink[]): SyncedLink[] {
  return links
    .filter(({ state, ends }) => state === 'live' && ends.some(({ at }) => at === 'edge'))
    .slice(-MAX_SYNCED_LINKS)
    .map(({ id: link, ends: [one, other] }) => ({ id: link, ends: [endOf(one), endOf(other)] }))
}

function endOf({ principal, sink, at }: IdentityLink['ends'][number]): SyncedLink['ends'][number] {
  return { principal, sink: at === 'edge' ? sink : null }
}

/** Maximum number of synced agreements: an owner pairs with few people, and all are checked for every message. */
const MAX_SYNCED_PEOPLE = 100

export const syncedPeopleSchema = z
  .array(
    z.strictObject({
      ...{ id, principal: name, sink: name, expiresAt: z.int().check(z.nonnegative()) },
      templates: z.array(id).check(z.maxLength(MOST.templates)),
    }),
  )
  .check(z.maxLength(MAX_SYNCED_PEOPLE))

/** `sink`: the chat of the edge in which that person entered the code. `expiresAt`: epoch milliseconds, by home's clock. */
export type SyncedPerson = DeepReadonly<z.output<typeof syncedPeopleSchema>>[number]

/**
 * The agreements that the edge needs, without templates that are switched off. A
 * person whose templates are all off stays in the list.
 */
export function syncedPeople(
  agreements: readonly Agreement[],
  { now, off }: { readonly now: number; readonly off: readonly string[] },
): SyncedPerson[] {
  return agreements
    .flatMap((agreement) => {
      const { id: of, principal, sink, at, templates, expiresAt } = agreement
      const isThere = isLive(agreement, now) && at === 'edge' && principal !== null && sink !== null
      return isThere
        ? [{ id: of, principal, sink, expiresAt, templates: templates.filter((one) => !off.includes(one)) }]
        : []
    })
    .slice(-MAX_SYNCED_PEOPLE)
}

export interface UnsentNews {
  readonly kind: 'answer' | 'card' | 'notice'
  /**
   * Milliseconds since the delivery was requested, measured when this report leaves, so that the two clocks need not agree
   * (T-14).
   */
  readonly age: number
  /** Reason code if it was given up; null while it waits. */
  readonly lost: ReasonCode | null
}

export const unsentSchema = z.strictObject({
  kind: z.enum(['answer', 'card', 'notice']),
  age: z.int().check(z.nonnegative()),
  lost: z.nullable(z.custom<ReasonCode>(isReasonCode)),
})
