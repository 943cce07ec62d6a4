/**
 * Linked accounts, as last synced from home (F-15, F-16): which principals of the edge are one person. Stored for all, pushed to
 * each object concerned, and checked before one reads another's data. Home is the authority. Must not trust a link when home was
 * away for long: it may have ended meanwhile. Called by KernelObject.
 */

import type { LiveLink } from '../../kernel/features/identities/port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { SyncedLink } from '../../kernel/tunnel/synced.ts'
import { objectName, TUNNEL_NAME } from '../names.ts'
import type { KernelPorts } from './ports.ts'

/** Milliseconds without home after which no link is used until it returns. */
export const LINK_TRUST = 3_600_000

/** Milliseconds until the end of a link is pushed again to objects that could not be reached. */
const AGAIN = 60_000

const LINKS = 'links'
/** Links that the owner ended here; an entry is dropped once home's sync no longer names it. */
const UNLINKED = 'links-unlinked'
/** Principals whose objects hold a link. */
const PUSHED = 'links-told'
/** Set while the tunnel or an object may not know that the owner ended a link. */
const OWED = 'links-owed'

export interface EdgeLinks {
  /** Replaces the links. Throws when an object could not be reached: the caller retries, and a repeated push is harmless. */
  set(links: readonly SyncedLink[]): Promise<Result<true>>
  /** All links that are valid here. */
  live(): readonly LiveLink[]
  /**
   * Ends a link for the owner. From here on nobody reads through it, whatever home syncs before it knows. `look` retries the tunnel
   * and the objects that could not be reached. Refusal: identity_unknown.
   */
  end(id: string): Promise<Result<true>>
  /** Called by the alarm: retries failed pushes. Never throws. */
  look(): Promise<void>
  /** Whether both are one person. Refusals: principal_not_allowed; home_offline. */
  linked(one: string, other: string): Promise<Result<true>>
}

export function createEdgeLinks({ kv, env, nameKey, wakeAt }: KernelPorts): EdgeLinks {
  const known = (): readonly SyncedLink[] => kv.get<readonly SyncedLink[]>(LINKS) ?? []
  const ended = (): readonly string[] => kv.get<readonly string[]>(UNLINKED) ?? []
  const withoutEnded = (links: readonly SyncedLink[]): readonly SyncedLink[] =>
    links.filter(({ id }) => !ended().includes(id))
  const inTurn = createTurns()
  const pushToTunnel = (): Promise<void> => env.TUNNEL.getByName(TUNNEL_NAME).setUnlinked(ended())
  /** Makes exactly these links valid and pushes them. Throws afterwards when one push failed. */
  const applyLinks = async (synced: readonly SyncedLink[]): Promise<void> => {
    const links = withoutEnded(synced)
    const concerned = new Set([
      ...(kv.get<readonly string[]>(PUSHED) ?? []),
      ...links.flatMap(principalsHere),
    ])
    kv.put(PUSHED, [...concerned])
    // A link that ended is invalid from here on, whichever object cannot be reached yet.
    const still = known().filter((link) => links.some(({ id }) => id === link.id))
    kv.put(LINKS, still)
    const pushes = [...concerned].map(async (principal) => {
      const own = links.filter(({ ends }) => ends.some((end) => end.principal === principal))
      await env.PRINCIPALS.getByName(objectName(nameKey, principal)).setLinks(principal, own)
    })
    await settleAll(pushes)
    // The owner may have ended a link during the push.
    kv.put(LINKS, withoutEnded(links))
    kv.put(PUSHED, links.flatMap(principalsHere))
  }
  const pushEnd = async (): Promise<void> => {
    // Set before anything is awaited: an object that stops in between is woken to retry.
    kv.put(OWED, true)
    wakeAt(Date.now() + AGAIN)
    try {
      await settleAll([pushToTunnel(), applyLinks(known())])
      kv.delete(OWED)
    } catch {
      wakeAt(Date.now() + AGAIN)
    }
  }
  return {
    live: () => known().map(({ id, ends: [one, other] }) => ({ id, ends: [one.principal, other.principal] })),
    async end(id) {
      if (!known().some((link) => link.id === id)) return err('identity_unknown', { link: id })
      kv.put(UNLINKED, [...ended(), id])
      kv.put(LINKS, withoutEnded(known()))
      kv.put(OWED, true)
      await inTurn(pushEnd)
      return ok(true)
    },
    async look() {
      if (kv.get<boolean>(OWED) === true) await inTurn(pushEnd)
    },
    set: (synced) =>
      inTurn(async () => {
        const still = ended().filter((id) => synced.some((link) => link.id === id))
        kv.put(UNLINKED, still)
        // Always, and first: an earlier push may have failed, and home makes final only those ends that the tunnel names.
        await pushToTunnel()
        await applyLinks(synced)
        return ok(true)
      }),
    async linked(one, other) {
      const isLinked = known().some((link) => {
        const ends = principalsHere(link)
        return ends.includes(one) && ends.includes(other) && one !== other
      })
      if (!isLinked) return err('principal_not_allowed')
      const seen = await env.TUNNEL.getByName(TUNNEL_NAME).homeSeenAt()
      return Date.now() - seen < LINK_TRUST ? ok(true) : err('home_offline')
    },
  }
}

/** Serialises pushes: of two concurrent ones an object could receive the older one last. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

/** Waits for all, then throws if one failed. */
async function settleAll(pushes: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(pushes)
  if (settled.some(({ status }) => status === 'rejected')) throw new Error('an object could not be told')
}

/** Accounts that the owner has verified in a chat of the edge. */
function principalsHere({ ends }: SyncedLink): readonly string[] {
  return ends.flatMap(({ principal, sink }) => (sink === null ? [] : [principal]))
}
