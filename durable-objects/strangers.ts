/**
 * Who wrote to the owner's bot and heard nothing: counted, told to him in one notice a day in the morning, and forgotten. Bounded whatever
 * comes; nothing wakes for any of them (H-18). Names lie sealed, as they were their bearers' own. Must not know what anybody wrote. Called by
 * KernelObject.
 */

import { nextBundle } from '../kernel/pipeline/background.ts'
import type { Notice } from '../kernel/pipeline/deliver.ts'
import { questionsCount, strangersCount, strangersNamed } from '../kernel/wording/strangers.ts'
import { createBox } from './sealed-outbox.ts'

/** Milliseconds between two digests at least, whatever the owner's clock does. */
export const LEAST_BETWEEN_DIGESTS = 86_400_000
/** People told apart in a day: a flood of accounts must not fill the object. */
export const MOST_STRANGERS = 200
/** People whose names are told. */
export const MOST_NAMED = 5
/** Milliseconds before a digest that could not be told is tried again. */
const TELL_AGAIN = 3_600_000

export interface MetStranger {
  readonly principal: string
  /** Of his object, if there were one: a keyed hash. */
  readonly name: string
  /** One line, in kernel words around a name of his own. */
  readonly called: string
  /** Messages of whomever that the route counted and did not tell of. */
  readonly leftOut: number
  /** He may ask, and asked more often than is put to the owner. */
  readonly asked?: true
}

export interface Strangers {
  met(stranger: MetStranger): void
  /** Tells what is due. Never throws: an alarm that does is retried a few times and then forgotten. */
  look(): Promise<void>
}

export interface StrangersInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put' | 'delete'>
  readonly now: () => number
  readonly timezone: () => string
  /** 32 bytes, the Worker secret. */
  readonly sealKey: Uint8Array
  /** False when it cannot be told now; the same id twice is once. */
  readonly tell: (notice: Pick<Notice, 'id' | 'code' | 'about' | 'names'>) => Promise<boolean>
  readonly wakeAt: (at: number) => void
}

interface Digest {
  /** When it is told, epoch milliseconds. */
  readonly due: number
  /** Beginnings of keyed hashes. */
  readonly people: readonly string[]
  /** Of the first people, sealed. */
  readonly names: readonly string[]
  /** Messages of people who could not be told apart from others. */
  readonly more: number
  /** Of those who may ask: questions that were not put to the owner, from whom (as `people`), and by what names. */
  readonly asked?: {
    readonly times: number
    readonly people: readonly string[]
    readonly names: readonly string[]
  }
}

const OPEN = 'strangers'
/** Closed, and on its way: whoever writes meanwhile is of the next. */
const TELLING = 'strangers-telling'
const TOLD_AT = 'strangers-told'
/** Hex digits: two of a few hundred do not meet. */
const SHORT = 16

export function createStrangers({ kv, now, timezone, sealKey, tell, wakeAt }: StrangersInput): Strangers {
  const box = () => createBox(sealKey, 'pfar:strangers')
  const begin = (): Digest => {
    const last = kv.get<number>(TOLD_AT) ?? 0
    const due = Math.max(nextBundle(now(), timezone()), last + LEAST_BETWEEN_DIGESTS)
    wakeAt(due)
    return { due, people: [], names: [], more: 0 }
  }
  /** Returns when to look again, if it failed. */
  const say = async (digest: Digest): Promise<number | null> => {
    const { due, people, more, asked } = digest
    const named = (of: { readonly people: readonly string[]; readonly names: readonly string[] }) => {
      const names = of.names.map((sealed) => String(box().open('name', sealed)))
      return strangersNamed(names, of.people.length - names.length)
    }
    const wrote = { id: `strangers:${due}`, code: 'strangers_wrote' } as const
    const wasTold =
      people.length + more === 0 ||
      (await tell({ ...wrote, about: strangersCount(people.length, more), names: named(digest) }))
    const left = { id: `questions:${due}`, code: 'questions_left_out' } as const
    const told =
      wasTold &&
      (asked === undefined ||
        (await tell({ ...left, about: questionsCount(asked.times), names: named(asked) })))
    if (!told) return now() + TELL_AGAIN
    kv.delete(TELLING)
    kv.put(TOLD_AT, now())
    return null
  }
  const next = (): Digest | null => {
    const telling = kv.get<Digest>(TELLING)
    if (telling !== undefined) return telling
    const open = kv.get<Digest>(OPEN)
    if (open === undefined || open.due > now()) return null
    kv.put(TELLING, open)
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
      const again = due === null ? null : await say(due).catch(() => now() + TELL_AGAIN)
      const open = kv.get<Digest>(OPEN)?.due
      const moment = again ?? open
      if (moment !== undefined) wakeAt(moment)
    },
  }
}
