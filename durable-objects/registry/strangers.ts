/**
 * Counts unknown senders who got no answer from the owner's bot, reports them in one notice each morning, and deletes them.
 * Storage is bounded for any traffic, and no object is woken for a sender (H-18). Names are personal data and are stored sealed.
 * Must not see what anybody wrote. Called by KernelObject.
 */

import { nextBundle } from '../../kernel/features/approvals/bundle.ts'
import { questionsCount, strangersCount, strangersNamed } from '../../kernel/wording/strangers.ts'
import { createBox } from '../sealed-outbox.ts'
import type { KernelPorts } from './ports.ts'

/** Least milliseconds between two digests, whatever the owner's clock does. */
export const LEAST_BETWEEN_DIGESTS = 86_400_000
/** Most people counted separately in a day: a flood of accounts must not fill the object. */
export const MOST_STRANGERS = 200
/** Most people named in a digest. */
export const MOST_NAMED = 5
/** Milliseconds until a failed digest is retried. */
const TELL_AGAIN = 3_600_000

export interface MetStranger {
  readonly principal: string
  /** Name that the sender's object would have: a keyed hash. */
  readonly name: string
  /** One line: words of the kernel around the sender's own name. */
  readonly called: string
  /** Messages of other senders that the route counted and did not report one by one. */
  readonly leftOut: number
  /** Set for a person who may ask the owner, and has asked more often than is allowed. */
  readonly asked?: true
}

export interface Strangers {
  met(stranger: MetStranger): void
  /** Sends what is due. Never throws: the platform retries a throwing alarm a few times and then drops it. */
  look(): Promise<void>
}

export interface StrangersInput extends Pick<KernelPorts, 'kv' | 'now' | 'tell' | 'wakeAt'> {
  readonly timezone: () => string
  /** 32 bytes, the Worker secret. */
  readonly sealKey: Uint8Array
}

interface Digest {
  /** When the digest is sent, epoch milliseconds. */
  readonly due: number
  /** Prefixes of keyed hashes. */
  readonly people: readonly string[]
  /** Names of the first people, sealed. */
  readonly names: readonly string[]
  /** Messages of senders beyond `MOST_STRANGERS`, and those that the route only counted. */
  readonly more: number
  /** Questions that did not reach the owner, of people who may ask: how many, by whom (as `people`), and their names. */
  readonly asked?: {
    readonly times: number
    readonly people: readonly string[]
    readonly names: readonly string[]
  }
}

const OPEN = 'strangers'
/** A closed digest that is being sent; senders who write meanwhile count in the next one. */
const SENDING = 'strangers-telling'
const SENT_AT = 'strangers-told'
/** Hex digits of a hash prefix: enough to tell a few hundred people apart. */
const SHORT = 16

export function createStrangers({ kv, now, timezone, sealKey, tell, wakeAt }: StrangersInput): Strangers {
  const box = () => createBox(sealKey, 'pfar:strangers')
  const begin = (): Digest => {
    const last = kv.get<number>(SENT_AT) ?? 0
    const due = Math.max(nextBundle(now(), timezone()), last + LEAST_BETWEEN_DIGESTS)
    wakeAt(due)
    return { due, people: [], names: [], more: 0 }
  }
  /** Sends a digest. Returns when to retry (epoch milliseconds); null on success. */
  const sendDigest = async (digest: Digest): Promise<number | null> => {
    const { due, people, more, asked } = digest
    const named = (of: { readonly people: readonly string[]; readonly names: readonly string[] }) => {
      const names = of.names.map((sealed) => String(box().open('name', sealed)))
      return strangersNamed(names, of.people.length - names.length)
    }
    const wrote = { id: `strangers:${due}`, code: 'strangers_wrote' } as const
    const isFirstSent =
      people.length + more === 0 ||
      (await tell({ ...wrote, about: strangersCount(people.length, more), names: named(digest) }))
    const left = { id: `questions:${due}`, code: 'questions_left_out' } as const
    const isSent =
      isFirstSent &&
      (asked === undefined ||
        (await tell({ ...left, about: questionsCount(asked.times), names: named(asked) })))
    if (!isSent) return now() + TELL_AGAIN
    kv.delete(SENDING)
    kv.put(SENT_AT, now())
    return null
  }
  const next = (): Digest | null => {
    const closed = kv.get<Digest>(SENDING)
    if (closed !== undefined) return closed
    const open = kv.get<Digest>(OPEN)
    if (open === undefined || open.due > now()) return null
    kv.put(SENDING, open)
    kv.delete(OPEN)
    return open
  }
  return {
    met({ name, called, leftOut, asked }) {
      const digest = kv.get<Digest>(OPEN) ?? begin()
      const who = name.slice(0, SHORT)
      if (asked === true) {
        const { times, people, names } = digest.asked ?? { times: 0, people: [], names: [] }
        const isKnown = people.includes(who) || people.length >= MOST_STRANGERS
        const isNamed = !isKnown && names.length < MOST_NAMED
        return kv.put(OPEN, {
          ...digest,
          asked: {
            times: times + 1,
            people: isKnown ? people : [...people, who],
            names: isNamed ? [...names, box().seal('name', called)] : names,
          },
        })
      }
      const isNew = !digest.people.includes(who)
      const fits = digest.people.length < MOST_STRANGERS
      const more = digest.more + leftOut + (isNew && !fits ? 1 : 0)
      const named = isNew && digest.names.length < MOST_NAMED
      kv.put(OPEN, {
        ...{ ...digest, more },
        people: isNew && fits ? [...digest.people, who] : digest.people,
        names: named ? [...digest.names, box().seal('name', called)] : digest.names,
      })
    },
    async look() {
      const due = next()
      const again = due === null ? null : await sendDigest(due).catch(() => now() + TELL_AGAIN)
      const open = kv.get<Digest>(OPEN)?.due
      const moment = again ?? open
      if (moment !== undefined) wakeAt(moment)
    },
  }
}
