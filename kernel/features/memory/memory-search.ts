/**
 * `memory.search`: searches facts and, when none matches or a time is given, archived results (B-14, B-20, E-19) and
 * summarised turns (O-41). The store filters what the task may not read, so it hides nothing readable; ranked by
 * matching words, then age. Must not reveal what was left out. Called by kernel-effects.ts.
 */

import { createSieve, type Sieve } from '../../call/values/withheld.ts'
import type { Json } from '../../flow/json.ts'
import type { Label } from '../../flow/label.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { sessionsOf } from '../../model-call/read-through.ts'
import type { Auditing } from '../../powers/audit.ts'
import { TALK } from '../../powers/effects.ts'
import type { Actions, Clock, PolicySource } from '../../powers/ports.ts'
import { openRecordOf, openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { IdentityLinkStore, StoreOf, Turn, TurnStore } from '../../powers/stores.ts'
import { daysIn, entryText, type FactEntry } from '../../task/fact-entry.ts'
import type { Task } from '../../task/task.ts'
import { openEntry } from './fact.ts'
import { type FactFinding, findFacts, MOST_WORDS } from './fact-index.ts'
import type { MemoryStore } from './port.ts'
import { MOST_ROWS, rowTexts } from './result-rows.ts'
import { indexWords } from './telling-words.ts'

/** Best facts of one label that one search opens: bounds its work, whatever there is. */
const OPENED_FACTS = 32
const FOUND_FACTS = 20
/** Maximum archived results that are searched, and that are shown. */
const SEARCHED_RESULTS = 500
const FOUND_RESULTS = 5
/** Turns read at a time; maximum turns read for one search, and shown. */
const PAGE_OF_TURNS = 500
const MOST_TURNS = 20_000
const FOUND_TURNS = 7
/** Milliseconds after which no older page of turns is read: a question about what nobody said must not take seconds. */
const TURN_TIME = 500
/** Maximum UTF-16 units of one side of a turn. */
const TURN_TEXT = 600
/** Maximum UTF-16 units of one archived result. */
const RESULT_TEXT = 2_000

type Arguments = Labeled<{ readonly [key: string]: Json }>

/** Ports of everything that a search reads. */
export type SearchMemoryPorts = Auditing &
  SealedReading &
  PolicySource &
  Actions &
  FactFinding &
  StoreOf<IdentityLinkStore & TurnStore & MemoryStore>

/**
 * Searches the archive only when no fact matches: it quotes other people, and the result would add their taint to the
 * owner's facts.
 */
export async function searchMemory(powers: SearchMemoryPorts, task: Task, args: Arguments): Promise<Labeled> {
  const sieve = createSieve(powers, task)
  const facts = await findSaid(powers, task, { args, sieve })
  const isQuestion = test(args, (values) => wordsOf(values).length > 0)
  const looksBack = namesTime(args) || (facts.length === 0 && isQuestion)
  const search = { args, sieve }
  const earlier = looksBack
    ? [...(await findTurns(powers, task, search)), ...(await findEarlier(powers, task, search))]
    : []
  sieve.tell('memory.search')
  return combine<Json, Json>([...facts, ...earlier], (all) => ({
    facts: all.slice(0, facts.length),
    earlier: all.slice(facts.length),
  }))
}

interface Search {
  readonly args: Arguments
  readonly sieve: Sieve
}

/** A text, and what of it is shown. */
interface Candidate {
  readonly text: Labeled<string>
  readonly shown: Labeled
}

async function findSaid(
  powers: SealedReading & PolicySource & FactFinding & StoreOf<IdentityLinkStore>,
  task: Task,
  { args, sieve }: Search,
): Promise<readonly Labeled[]> {
  const asked = derive(args, questionIn)
  const candidates: Candidate[] = []
  for (const { principal, may } of sessionsOf(powers, task))
    for (const { fact } of await findFacts(
      powers,
      { principal, may: sieve.noting(may) },
      { asked, most: OPENED_FACTS },
    )) {
      const entry = await openEntry(powers, fact)
      if (entry.ok)
        candidates.push({ text: derive(entry.value, entryText), shown: derive(entry.value, shownEntry) })
    }
  return bestOf(args, candidates, hitsOf(asked)).slice(0, FOUND_FACTS)
}

function questionIn({ query, from, to }: { readonly [key: string]: Json }): Asked {
  const words = typeof query === 'string' ? [...indexWords(query), ...spellings(daysIn(query))] : []
  const isTimed = typeof from === 'string' && typeof to === 'string'
  return {
    words: [...new Set(words)],
    days: typeof query === 'string' ? [...daysIn(query)] : [],
    span: isTimed ? { from: Date.parse(from), to: Date.parse(to) } : null,
  }
}

/** All spellings of a date, so that a day is found however it was written. */
function spellings(days: readonly string[]): readonly string[] {
  return days.flatMap((day) => [day, day.padStart(2, '0'), ...ENDINGS.map((ending) => day + ending)])
}

const ENDINGS = ['st', 'nd', 'rd', 'th']

type Asked = {
  readonly words: string[]
  /** Days of a month; a number that is none in the text is no hit. */
  readonly days: string[]
  readonly span: { readonly from: number; readonly to: number } | null
}

/** Counts matches: words of the index, and days of a month in any spelling. */
function hitsOf(asked: Labeled<Asked>): (text: Labeled<string>) => Labeled<number> {
  return (text) =>
    combine<Json, number>([asked, text], ([question, written]) => {
      const own = new Set(indexWords(String(written)))
      const days = daysIn(String(written))
      const { words, days: wanted } = question as Asked
      const spelt = new Set(spellings(wanted))
      const hits = words.slice(0, MOST_WORDS).filter((word) => own.has(word) && !spelt.has(word)).length
      return hits + wanted.filter((day) => days.includes(day)).length
    })
}

/**
 * Fields that a plan may reference: newest text with subject and value, first date, number of occurrences, earlier
 * texts.
 */
function shownEntry({ subject, value, text, since, at, times, earlier }: FactEntry): Json {
  const iso = (moment: number): string => new Date(moment).toISOString()
  return {
    ...{ text, at: iso(at), since: iso(since), times },
    ...(subject !== null && value !== null && { subject, value }),
    earlier: earlier.map((one) => ({ text: one.text, at: iso(one.at) })),
  }
}

/** Results moved out of working memory (B-14). */
async function findEarlier(
  powers: SealedReading & PolicySource & Actions & StoreOf<IdentityLinkStore & MemoryStore>,
  task: Task,
  { args, sieve }: Search,
): Promise<readonly Labeled[]> {
  const archived = sessionsOf(powers, task).flatMap(({ principal, may }) =>
    powers.store.archivedMemory(principal, SEARCHED_RESULTS, sieve.noting(may)),
  )
  const candidates: Candidate[] = []
  for (const { ref, action, at } of archived) {
    if (!isWithin(args, at)) continue
    const record = await openRecordOf(powers, ref)
    if (!record.ok) continue
    const whole = record.value.whole()
    for (let row = 0; row < MOST_ROWS && test(whole, (value) => rowTexts(value).length > row); row += 1) {
      const text = derive(whole, (value) => (rowTexts(value)[row] ?? '').slice(0, RESULT_TEXT))
      const shown = derive(text, (kept) => ({ action, text: kept, at: new Date(at).toISOString() }))
      candidates.push({ text, shown })
    }
  }
  return bestOf(args, candidates, mentionsOf(args)).slice(0, FOUND_RESULTS)
}

/**
 * When a time is given, also searches turns of the running conversation, because a prompt contains only the newest. Older pages
 * are read until enough turns are found.
 */
async function findTurns(
  powers: Clock & SealedReading & PolicySource & StoreOf<IdentityLinkStore & TurnStore>,
  task: Task,
  { args, sieve }: Search,
): Promise<readonly Labeled[]> {
  const asked = { limit: PAGE_OF_TURNS, archivedOnly: !namesTime(args) }
  const mentions = mentionsOf(args)
  const isOpen = test(args, (values) => wordsOf(values).length === 0)
  const until = powers.now() + TURN_TIME
  const candidates: Candidate[] = []
  let found = 0
  for (const { principal, may } of sessionsOf(powers, task)) {
    const readable = sieve.noting(may)
    let before: Turn | undefined
    for (let read = 0; read < MOST_TURNS; read += PAGE_OF_TURNS) {
      const page = powers.store.earlierTurns(principal, { ...asked, before })
      for (const turn of page) {
        const text = isWithin(args, turn.at) ? await textOf(powers, turn, readable) : null
        if (text === null) continue
        const at = new Date(turn.at).toISOString()
        candidates.push({ text, shown: derive(text, (said) => ({ action: TALK, text: said, at })) })
        if (isOpen || test(mentions(text), (hits) => hits > 0)) found += 1
      }
      before = page.at(-1)
      const isEnd = before === undefined || page.length < PAGE_OF_TURNS || isBefore(args, before.at)
      if (isEnd || found >= FOUND_TURNS || powers.now() >= until) break
    }
  }
  return bestOf(args, candidates, mentions).slice(0, FOUND_TURNS)
}

/** Whether all that is older than this dates from before the given time. */
function isBefore(args: Arguments, at: number): boolean {
  return test(args, ({ from }) => typeof from === 'string' && at < Date.parse(from))
}

/** Both sides, as far as readable; null when neither is. */
async function textOf(
  powers: SealedReading,
  { words, answer }: Turn,
  may: (label: Label) => boolean,
): Promise<Labeled<string> | null> {
  const sides: Labeled<string>[] = []
  for (const [who, ref] of [['You', words] as const, ['I', answer] as const]) {
    if (ref === null || !may(ref.label)) continue
    const text = await openTextOf(powers, ref)
    if (text.ok) sides.push(derive(text.value, (said) => `${who}: ${said.slice(0, TURN_TEXT)}`))
  }
  return sides.length === 0 ? null : combine(sides, (texts) => texts.join('\n'))
}

function namesTime(args: Arguments): boolean {
  return test(args, ({ from, to }) => typeof from === 'string' && typeof to === 'string')
}

/** Whether it dates from the given time; always true when no time is given. */
function isWithin(args: Arguments, at: number): boolean {
  return test(
    args,
    ({ from, to }) =>
      typeof from !== 'string' || typeof to !== 'string' || (Date.parse(from) <= at && at < Date.parse(to)),
  )
}

/**
 * Texts containing any word of the question, most matches first, then in the given order; all of them when there is
 * no question.
 */
function bestOf(
  args: Arguments,
  candidates: readonly Candidate[],
  hitsOf: (text: Labeled<string>) => Labeled<number>,
): readonly Labeled[] {
  if (test(args, (values) => wordsOf(values).length === 0)) return candidates.map(({ shown }) => shown)
  const counted = candidates.map(({ text, shown }) => ({ shown, hits: hitsOf(text) }))
  const tiers = Array.from({ length: MOST_WORDS }, (_, at) => MOST_WORDS - at)
  return tiers.flatMap((tier) =>
    counted.filter(({ hits }) => test(hits, (count) => count === tier)).map(({ shown }) => shown),
  )
}

/** Anywhere in the text, also inside a longer word: what is not indexed is searched as it is written. */
function mentionsOf(args: Arguments): (text: Labeled<string>) => Labeled<number> {
  return (text) =>
    combine<Json, number>([args, text], ([values, written]) => {
      const folded = String(written).toLowerCase()
      return wordsOf(values as { readonly [key: string]: Json }).filter((word) => folded.includes(word))
        .length
    })
}

function wordsOf({ query }: { readonly [key: string]: Json }): readonly string[] {
  if (typeof query !== 'string') return []
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return [...new Set(words.filter((word) => word.length > 2))].slice(0, MOST_WORDS)
}
