/**
 * A large number of facts and a search among them, over the real store, cipher and search of a place; the same code in Node and
 * workerd. Must not measure. Called by bench/memory.ts, bench/growth.ts and bench/worker/memory.ts.
 */
import { indexedWords, indexFacts } from '../kernel/features/memory/fact-index.ts'
import { type SearchMemoryPorts, searchMemory } from '../kernel/features/memory/memory-search.ts'
import { test } from '../kernel/flow/labeled.ts'
import type { Place } from '../kernel/flow/place.ts'
import { ownerWords, receive } from '../kernel/flow/provenance.ts'
import { startTask } from '../kernel/machine/machine.ts'
import type { Store } from '../kernel/powers/all-powers.ts'
import type { Ids } from '../kernel/powers/ports.ts'
import { sealForLater } from '../kernel/powers/sealed.ts'
import type { StoreOf } from '../kernel/powers/stores.ts'
import { createRegistry } from '../kernel/tool/registry.ts'
import type { Sealer } from '../kernel/vault/sealer.ts'

const OWNER = 'principal:owner'
/** The owner's line at each place, and the label of what is said there. */
const LINES = {
  home: { sink: 'sink:terminal:owner', level: 'sensitive', template: 'owner_private' },
  edge: { sink: 'sink:openline:owner', level: 'internal', template: 'owner_open' },
} as const

/** The oldest fact, and the search for it. `spare`, `key` and `garden` are in thousands of the others, `flowerpot` in none. */
const OLDEST = 'the spare key of the garden is under the blue flowerpot'
export const QUESTION = 'spare key under the flowerpot in the garden'
/** Facts per transaction, sealed before it. */
const BATCH = 500

const THINGS =
  'key bill ticket coat ladder recipe parcel lamp bicycle passport guitar camera heater carpet window mirror bottle basket'.split(
    ' ',
  )
const KINDS = 'spare old new red heavy broken borrowed rented second small'.split(' ')
const PLACES = 'garden cellar attic garage kitchen office cabin school library clinic harbour station'.split(
  ' ',
)
const NAMES = 'Sarah Tom Ines Marek Aylin Jonas Priya Lena Oskar Fatima Hugo Mira Pavel Zoe Emil Nora'.split(
  ' ',
)

/** A sentence like those that people save: a dozen words, some frequent, some in this fact only. */
function sentence(n: number): string {
  const pick = (all: readonly string[], step: number): string => all[Math.floor(n / step) % all.length] ?? ''
  const who = pick(NAMES, 7)
  return `the ${pick(KINDS, 3)} ${pick(THINGS, 1)} in the ${pick(PLACES, 5)} belongs to ${who}, number ${10_000 + n}, paid with ${pick(NAMES, 11)}`
}

export interface Subject {
  readonly place: Place
  readonly store: Store
  readonly sealer: Sealer
}

/**
 * Writes facts `from` to `to`; the first of all is the one searched for. Without `words` they are stored as before the index
 * existed.
 */
export async function fill(
  subject: Subject,
  { from, to, words }: { readonly from: number; readonly to: number; readonly words: boolean },
): Promise<void> {
  const { store } = subject
  const { sink, level } = LINES[subject.place]
  for (let at = from; at < to; at += BATCH) {
    const ready: (() => void)[] = []
    for (let n = at; n < Math.min(to, at + BATCH); n += 1) {
      const text = receive(n === 0 ? OLDEST : sentence(n), ownerWords(sink, level))
      const keeping = { principal: OWNER, store: 'memory', until: null } as const
      const sealed = await sealForLater(powersOf(subject), keeping, text)
      const indexed = words ? await indexedWords(subject, OWNER, text) : undefined
      ready.push(() => {
        sealed.put()
        store.saveFact({ id: `fact-${n}`, principal: OWNER, ref: sealed.ref, at: n }, indexed)
      })
    }
    store.transaction(() => {
      for (const write of ready) write()
    })
  }
}

/** Indexes the stored facts, in batches of the place's size. */
export async function indexAll(subject: Subject, most: number): Promise<void> {
  while ((await indexFacts(powersOf(subject), most)) > 0);
}

/** One search as `memory.search` makes it. Throws if it does not find the oldest fact. */
export async function search(subject: Subject): Promise<void> {
  const { sink, level, template } = LINES[subject.place]
  const words = ownerWords(sink, level)
  const ref = { id: 'r', version: 1, holds: { what: 'text' }, ...words } as const
  const { task } = startTask({
    ...{ id: 't', trace: 't', template, principal: OWNER, event: 'e', place: subject.place, turn: 1 },
    ...{ ceiling: { level, compartments: [] }, tools: ['memory.search'], maxToolCalls: 5 },
    ...{ sink, words: ref, memory: {}, createdAt: 0 },
  })
  const found = await searchMemory(powersOf(subject), task, receive({ query: QUESTION }, words))
  if (!test(found, (value) => JSON.stringify(value).includes('flowerpot')))
    throw new Error('the oldest fact was not found')
}

let ids = 0

function powersOf({ place, store, sealer }: Subject): SearchMemoryPorts & Ids & StoreOf<Store> {
  return {
    ...{ place, store, sealer, now: () => Date.now(), registry: REGISTRY },
    newId: () => {
      ids += 1
      return `bench-${ids}`
    },
    policy: () => ({
      ...{ owner: OWNER, sinks: [], allowLists: [], flowGrants: [], writeGrants: [], linkedChats: [] },
    }),
  }
}

const REGISTRY = createRegistry([])
