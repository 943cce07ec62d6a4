/**
 * Agreements: the people whom the owner is paired with in chats of the edge, as last synced from home (B-04). Stored for all and
 * pushed to each person's object, also when they end. While home is away an agreement stays valid until its own end, since by
 * itself it lets nobody read anything. Called by KernelObject.
 */
import { canonicalJson } from '../../kernel/flow/json.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { SyncedPerson } from '../../kernel/tunnel/synced.ts'
import { objectName } from '../names.ts'
import type { KernelPorts } from './ports.ts'

/** Stands in place of a principal: senders without an agreement may ask for nothing, whatever the bot's setting says (L-03). */
export const NOBODY_ELSE = '*'

const PEOPLE = 'people'
/** Key: whether `NOBODY_ELSE` applies. */
const CLOSED = 'people-closed'
/** Principals whose objects hold an agreement. */
const PUSHED = 'people-told'

export interface EdgePeople {
  /** Replaces the agreements. Throws when an object could not be reached: the caller retries, and a repeated push is harmless. */
  set(people: readonly SyncedPerson[], closed: boolean): Promise<Result<true>>
  /** Principals with an agreement that is live at `now`, epoch milliseconds, and perhaps `NOBODY_ELSE`. */
  principals(now: number): readonly string[]
}

export function createEdgePeople({ kv, env, nameKey }: KernelPorts): EdgePeople {
  /** Agreements being pushed now: a person who already has the welcome notice may write before the push to the others ends. */
  let coming: readonly SyncedPerson[] = []
  return {
    async set(people, closed) {
      kv.put(CLOSED, closed)
      // An unchanged list wakes nobody, as when home reconnects.
      if (canonicalJson(people) === canonicalJson(kv.get<readonly SyncedPerson[]>(PEOPLE) ?? []))
        return ok(true)
      const known = kv.get<readonly string[]>(PUSHED) ?? []
      coming = people
      const concerned = new Set([...known, ...people.map(({ principal }) => principal)])
      kv.put(PUSHED, [...concerned])
      for (const principal of concerned) {
        const own = people.filter((one) => one.principal === principal)
        await env.PRINCIPALS.getByName(objectName(nameKey, principal)).setAgreements(principal, own)
      }
      // Written last: when one push failed, the next sync pushes to all.
      kv.put(PEOPLE, people)
      coming = []
      kv.put(
        PUSHED,
        people.map(({ principal }) => principal),
      )
      return ok(true)
    },
    principals: (now) => [
      ...(kv.get<boolean>(CLOSED) === true ? [NOBODY_ELSE] : []),
      ...[...(kv.get<readonly SyncedPerson[]>(PEOPLE) ?? []), ...coming].flatMap(
        ({ principal, expiresAt }) => (expiresAt > now ? [principal] : []),
      ),
    ],
  }
}
