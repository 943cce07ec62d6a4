/**
 * What the owner has granted to whoever asks, as home last said (F-13, X-05): kept for all, handed to each stranger's object
 * that runs, told anew to those when it changes. Home is the authority and looks at its own rows when it is asked; here it decides
 * only whether an answer of home's may go out. Must not believe a home that has been away for long. Called by KernelObject.
 */
import type { FieldGrant } from '../kernel/flow/grant.ts'
import { canonicalJson } from '../kernel/flow/json.ts'
import { ok, type Result } from '../kernel/flow/verdict.ts'
import { heldGrant, type ToldGrant } from '../kernel/tunnel/told-grants.ts'
import type { EdgeEnv } from '../worker/env.ts'
import { TUNNEL_NAME } from './names.ts'

/** Milliseconds without home after which nothing is told by a grant until it is back: one may have been taken back meanwhile. */
export const GRANT_TRUST = 3_600_000

/**
 * Strangers' objects that are told of a change. Whoever writes as many strangers makes as many, and home's frame waits until
 * all are told; one more than these gets no grant until others' hour is over.
 */
export const MOST_HOLDERS = 256
/** Told at a time. */
export const AT_ONCE = 16

const GRANTS = 'grants'
/** What all holders were last told, as one text. */
const TOLD = 'grants-told'
/** By name of an object: when it last asked, epoch milliseconds. */
const HOLDER = 'grants-at:'

/** Grants, and until when they count (epoch milliseconds). */
export interface HeldGrants {
  readonly grants: readonly FieldGrant[]
  readonly until: number
}

export interface EdgeGrants {
  /**
   * `ahead`: how far the clock here is ahead of home's, milliseconds. Whoever holds some knows when it resolves. Throws when
   * an object could not be told: who asked then asks again, and telling twice is telling once.
   */
  set(told: readonly ToldGrant[], ahead: number): Promise<Result<true>>
  /** For the object of this name, which is told of each change until they end. */
  of(name: string): Promise<HeldGrants>
}

export function createEdgeGrants(kv: SyncKvStorage, env: Pick<EdgeEnv, 'PRINCIPALS' | 'TUNNEL'>): EdgeGrants {
  const known = (): readonly FieldGrant[] => kv.get<readonly FieldGrant[]>(GRANTS) ?? []
  const until = async (): Promise<number> =>
    (await env.TUNNEL.getByName(TUNNEL_NAME).homeSeenAt()) + GRANT_TRUST
  const holders = (): readonly string[] => {
    const names: string[] = []
    // What it held has ended by itself.
    for (const [key, at] of [...kv.list<number>({ prefix: HOLDER })])
      if (at + GRANT_TRUST < Date.now()) kv.delete(key)
      else names.push(key.slice(HOLDER.length))
    return names
  }
  return {
    async set(told, ahead) {
      const grants = told.map((grant) => heldGrant(grant, ahead))
      const isNews = canonicalJson(told) !== kv.get<string>(TOLD)
      // First, so that whoever asks meanwhile has these.
      kv.put(GRANTS, grants)
      // Who holds the same ones asks by himself when they end: a home that comes back need not wake everybody.
      if (!isNews) return ok(true)
      const held = { grants, until: Date.now() + GRANT_TRUST }
      const names = holders()
      for (let from = 0; from < names.length; from += AT_ONCE)
        await Promise.all(
          names.slice(from, from + AT_ONCE).map((name) => env.PRINCIPALS.getByName(name).setGrants(held)),
        )
      // Last: where one could not be told, the next telling tells them all.
      kv.put(TOLD, canonicalJson(told))
      return ok(true)
    },
    async of(name) {
      // Nothing that is held need not be trusted: whoever knows of none is told of the first.
      const end = known().length === 0 ? Date.now() + GRANT_TRUST : await until()
      // Noted and read at one moment: what changes afterwards is told.
      if (kv.get(HOLDER + name) === undefined && holders().length >= MOST_HOLDERS)
        return { grants: [], until: Date.now() }
      kv.put(HOLDER + name, Date.now())
      return { grants: known(), until: end }
    },
  }
}
