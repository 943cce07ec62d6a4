/**
 * Which principals of the edge are one person, as home last said (F-15, F-16): kept for all, told to each object that it
 * concerns, and asked before one reads what another holds. Home is the authority. Must not believe a home that has been away
 * for long, as it may have ended a link meanwhile. Called by KernelObject.
 */
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { LiveLink } from '../kernel/powers/link-desk-port.ts'
import type { ToldLink } from '../kernel/tunnel/told-links.ts'
import type { EdgeEnv } from '../worker/env.ts'
import { objectName, TUNNEL_NAME } from './names.ts'

/** Milliseconds without home after which nothing is read through a link until it is back. */
export const LINK_TRUST = 3_600_000

/** Milliseconds until an end of the owner's that not everybody could be told is told again. */
const AGAIN = 60_000

const LINKS = 'links'
/** Those that the owner ended here, until home names them no more. */
const UNLINKED = 'links-unlinked'
/** Principals whose objects hold some of them. */
const TOLD = 'links-told'
/** An end at the owner's word that the tunnel or an object may not know yet. */
const OWED = 'links-owed'

export interface EdgeLinks {
  /** Throws when an object could not be told: who asked then asks again, and telling twice is telling once. */
  set(links: readonly ToldLink[]): Promise<Result<true>>
  /** All that hold here. */
  live(): readonly LiveLink[]
  /**
   * The owner ends one: nobody reads by it from here on, whatever home says before it has heard. The tunnel and the objects
   * that could not be told are told by `look`. Refusal: identity_unknown.
   */
  end(id: string): Promise<Result<true>>
  /** By the alarm: tells what is still to be told. Never throws. */
  look(): Promise<void>
  /** Refusals: principal_not_allowed; home_offline. */
  linked(one: string, other: string): Promise<Result<true>>
}

export interface EdgeLinksInput {
  readonly kv: SyncKvStorage
  readonly env: Pick<EdgeEnv, 'PRINCIPALS' | 'TUNNEL'>
  /** 32 bytes: names the objects of principals. */
  readonly nameKey: Uint8Array
  readonly wakeAt: (at: number) => void
}

export function createEdgeLinks({ kv, env, nameKey, wakeAt }: EdgeLinksInput): EdgeLinks {
  const known = (): readonly ToldLink[] => kv.get<readonly ToldLink[]>(LINKS) ?? []
  const ended = (): readonly string[] => kv.get<readonly string[]>(UNLINKED) ?? []
  const withoutEnded = (links: readonly ToldLink[]): readonly ToldLink[] =>
    links.filter(({ id }) => !ended().includes(id))
  const inTurn = createTurns()
  const tellTunnel = (): Promise<void> => env.TUNNEL.getByName(TUNNEL_NAME).setUnlinked(ended())
  /** These hold from here on, and no others. Throws once all others know, when one could not be told. */
  const hold = async (told: readonly ToldLink[]): Promise<void> => {
    const links = withoutEnded(told)
    const concerned = new Set([...(kv.get<readonly string[]>(TOLD) ?? []), ...links.flatMap(principalsHere)])
    kv.put(TOLD, [...concerned])
    // What has ended counts for nothing from here on, whoever cannot be told yet.
    const still = known().filter((link) => links.some(({ id }) => id === link.id))
    kv.put(LINKS, still)
    const telling = [...concerned].map(async (principal) => {
      const own = links.filter(({ ends }) => ends.some((end) => end.principal === principal))
      await env.PRINCIPALS.getByName(objectName(nameKey, principal)).setLinks(principal, own)
    })
    await settleAll(telling)
    // The owner may have ended one meanwhile.
    kv.put(LINKS, withoutEnded(links))
    kv.put(TOLD, links.flatMap(principalsHere))
  }
  const tellEnd = async (): Promise<void> => {
    // Armed before anything is awaited: an object that stops in between is woken for it.
    kv.put(OWED, true)
    wakeAt(Date.now() + AGAIN)
    try {
      await settleAll([tellTunnel(), hold(known())])
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
      await inTurn(tellEnd)
      return ok(true)
    },
    async look() {
      if (kv.get<boolean>(OWED) === true) await inTurn(tellEnd)
    },
    set: (told) =>
      inTurn(async () => {
        const still = ended().filter((id) => told.some((link) => link.id === id))
        kv.put(UNLINKED, still)
        // Every time, and first: an earlier telling may have failed, and home ends for good only what the tunnel names.
        await tellTunnel()
        await hold(told)
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

/** One telling after the other: of two at once an object could hear the older one last. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

/** Waits for all, and throws afterwards where one failed. */
async function settleAll(telling: readonly Promise<unknown>[]): Promise<void> {
  const told = await Promise.allSettled(telling)
  if (told.some(({ status }) => status === 'rejected')) throw new Error('an object could not be told')
}

/** Ends that have proved themselves in a chat of the edge. */
function principalsHere({ ends }: ToldLink): readonly string[] {
  return ends.flatMap(({ principal, sink }) => (sink === null ? [] : [principal]))
}
