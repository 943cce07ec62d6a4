/**
 * Whom the owner is paired with in chats of the edge, as home last said (B-04): kept for all, told to each person's object, which is
 * told of the end as well. Home is the authority; a home that stays away leaves things as they are until each agreement ends by
 * itself, since none lets anybody read what is not granted besides. Called by KernelObject.
 */
import { canonicalJson } from '../kernel/flow/json.ts'
import { ok, type Result } from '../kernel/flow/verdict.ts'
import type { ToldPerson } from '../kernel/tunnel/told-people.ts'
import type { EdgeEnv } from '../worker/env.ts'
import { objectName } from './names.ts'

const PEOPLE = 'people'
/** Principals whose objects hold one. */
const TOLD = 'people-told'

export interface EdgePeople {
  /** Throws when an object could not be told: who asked then asks again, and telling twice is telling once. */
  set(people: readonly ToldPerson[]): Promise<Result<true>>
  /** Whose agreements are live at `now`, epoch milliseconds. */
  principals(now: number): readonly string[]
}

export interface EdgePeopleInput {
  readonly kv: SyncKvStorage
  readonly env: Pick<EdgeEnv, 'PRINCIPALS'>
  /** 32 bytes: names the objects of principals. */
  readonly nameKey: Uint8Array
}

export function createEdgePeople({ kv, env, nameKey }: EdgePeopleInput): EdgePeople {
  /** Told one after the other at this moment: whoever has heard that he is welcome may write at once. */
  let coming: readonly ToldPerson[] = []
  return {
    async set(people) {
      // A home that comes back with the same need not wake everybody.
      if (canonicalJson(people) === canonicalJson(kv.get<readonly ToldPerson[]>(PEOPLE) ?? []))
        return ok(true)
      const known = kv.get<readonly string[]>(TOLD) ?? []
      coming = people
      const concerned = new Set([...known, ...people.map(({ principal }) => principal)])
      kv.put(TOLD, [...concerned])
      for (const principal of concerned) {
        const own = people.filter((one) => one.principal === principal)
        await env.PRINCIPALS.getByName(objectName(nameKey, principal)).setAgreements(principal, own)
      }
      // Last: where one could not be told, the next telling tells them all.
      kv.put(PEOPLE, people)
      coming = []
      kv.put(
        TOLD,
        people.map(({ principal }) => principal),
      )
      return ok(true)
    },
    principals: (now) =>
      [...(kv.get<readonly ToldPerson[]>(PEOPLE) ?? []), ...coming].flatMap(({ principal, expiresAt }) =>
        expiresAt > now ? [principal] : [],
      ),
  }
}
