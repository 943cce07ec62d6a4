/**
 * Which principals of the edge are one person, as home last said (F-15, F-16): kept for all, told to each object that it
 * concerns, and asked before one reads what another holds. Home is the authority. Must not believe a home that has been away
 * for long, as it may have ended a link meanwhile. Called by KernelObject.
 */
import { allowed, type Result, refused } from '../kernel/flow/verdict.ts'
import type { LiveLink } from '../kernel/powers/link-desk-port.ts'
import type { ToldLink } from '../kernel/tunnel/told-links.ts'
import type { EdgeEnv } from '../worker/env.ts'
import { objectName, TUNNEL_NAME } from './names.ts'

/** Milliseconds without home after which nothing is read through a link until it is back. */
export const LINK_TRUST = 3_600_000

const LINKS = 'links'
/** Those that the owner ended here, until home names them no more. */
const UNLINKED = 'links-unlinked'
/** Principals whose objects hold some of them. */
const TOLD = 'links-told'

export interface EdgeLinks {
  /** Throws when an object could not be told: who asked then asks again, and telling twice is telling once. */
  set(links: readonly ToldLink[]): Promise<Result<true>>
  /** These hold from here on, and no others; whoever is concerned knows when this returns. */
  hold(links: readonly ToldLink[]): Promise<Result<true>>
  /** All that hold here. */
  live(): readonly LiveLink[]
  /** The owner ends one: nobody reads by it from here on, whatever home says before it has heard. Refusal: identity_unknown. Throws as above. */
  end(id: string): Promise<Result<true>>
  /** Refusals: principal_not_allowed; home_offline. */
  linked(one: string, other: string): Promise<Result<true>>
}

export interface EdgeLinksInput {
  readonly kv: SyncKvStorage
  readonly env: EdgeEnv
  /** 32 bytes: names the objects of principals. */
  readonly nameKey: Uint8Array
}

export function createEdgeLinks({ kv, env, nameKey }: EdgeLinksInput): EdgeLinks {
  const known = (): readonly ToldLink[] => kv.get<readonly ToldLink[]>(LINKS) ?? []
  const ended = (): readonly string[] => kv.get<readonly string[]>(UNLINKED) ?? []
  const keepEnded = async (ids: readonly string[]): Promise<void> => {
    kv.put(UNLINKED, ids)
    await env.TUNNEL.getByName(TUNNEL_NAME).setUnlinked(ids)
  }
  const desk: EdgeLinks = {
    live: () => known().map(({ id, ends: [one, other] }) => ({ id, ends: [one.principal, other.principal] })),
    async end(id) {
      if (!known().some((link) => link.id === id)) return refused('identity_unknown', { link: id })
      const others = known().filter((link) => link.id !== id)
      kv.put(UNLINKED, [...ended(), id])
      const done = await desk.hold(others)
      await keepEnded(ended())
      return done
    },
    async set(told) {
      const still = ended().filter((id) => told.some((link) => link.id === id))
      const done = await desk.hold(told.filter(({ id }) => !still.includes(id)))
      if (still.length < ended().length) await keepEnded(still)
      return done
    },
    async hold(links) {
      const concerned = new Set([
        ...(kv.get<readonly string[]>(TOLD) ?? []),
        ...links.flatMap(principalsHere),
      ])
      kv.put(TOLD, [...concerned])
      // What has ended counts for nothing from here on, whoever cannot be told yet.
      const still = known().filter((link) => links.some(({ id }) => id === link.id))
      kv.put(LINKS, still)
      for (const principal of concerned) {
        const own = links.filter(({ ends }) => ends.some((end) => end.principal === principal))
        await env.PRINCIPALS.getByName(objectName(nameKey, principal)).setLinks(principal, own)
      }
      kv.put(LINKS, links)
      kv.put(TOLD, links.flatMap(principalsHere))
      return allowed(true)
    },
    async linked(one, other) {
      const isLinked = known().some((link) => {
        const ends = principalsHere(link)
        return ends.includes(one) && ends.includes(other) && one !== other
      })
      if (!isLinked) return refused('principal_not_allowed')
      const seen = await env.TUNNEL.getByName(TUNNEL_NAME).homeSeenAt()
      return Date.now() - seen < LINK_TRUST ? allowed(true) : refused('home_offline')
    },
  }
  return desk
}

/** Ends that have proved themselves in a chat of the edge. */
function principalsHere({ ends }: ToldLink): readonly string[] {
  return ends.flatMap(({ principal, sink }) => (sink === null ? [] : [principal]))
}
