/**
 * What `memory.search` finds: facts, and where none answers, or a time is named, what lies in the archive: results that
 * working memory has pushed out (B-14), and turns that a summary stands for (O-41). What is above the task's ceiling is not
 * there for it (B-20). Must not change anything. Called by kernel-effects.ts.
 */
import { type Json, stringsIn } from '../flow/json.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { TALK } from '../powers/effects.ts'
import type { Powers, Turn } from '../powers/ports.ts'
import { openRecordOf, openTextOf } from '../powers/sealed.ts'
import type { Task } from '../task/task.ts'
import { type Session, sessionsOf } from './read-through.ts'

/** Newest facts, results and turns that are searched at all: bounds one search's work. */
const SEARCHED = 500
const FOUND_FACTS = 20
/** Each is the names and ids of a whole mailbox or calendar. */
const FOUND_RESULTS = 5
const FOUND_TURNS = 7
/** UTF-16 units of one archived result. */
const RESULT_TEXT = 2_000
/** UTF-16 units of one side of a turn. */
const TURN_TEXT = 600

type Arguments = Labeled<{ readonly [key: string]: Json }>

/** Facts alone where they answer: the archive quotes strangers, and the owner's own facts would bear their taint. */
export async function searchMemory(powers: Powers, task: Task, args: Arguments): Promise<Labeled> {
  const facts = await findFacts(powers, task, args)
  const isQuestion = test(args, (values) => wordsOf(values).length > 0)
  const looksBack = namesTime(args) || (facts.length === 0 && isQuestion)
  const earlier = looksBack
    ? [...(await findTurns(powers, task, args)), ...(await findResults(powers, task, args))]
    : []
  return combine<Json, Json>([...facts, ...earlier], (all) => ({
    facts: all.slice(0, facts.length),
    earlier: all.slice(facts.length),
  }))
}

async function findFacts(powers: Powers, task: Task, args: Arguments): Promise<readonly Labeled[]> {
  const found: Labeled[] = []
  const facts = sessionsOf(powers, task).flatMap(({ principal, may }) =>
    powers.store.facts(principal, SEARCHED).filter(({ ref, at }) => may(ref.label) && isWithin(args, at)),
  )
  for (const { ref, at } of facts) {
    if (found.length >= FOUND_FACTS) break
    const fact = await openTextOf(powers, ref)
    if (fact.ok && isAsked(args, fact.value))
      found.push(derive(fact.value, (text) => ({ text, at: new Date(at).toISOString() })))
  }
  return found
}

async function findResults(powers: Powers, task: Task, args: Arguments): Promise<readonly Labeled[]> {
  const found: Labeled[] = []
  const archived = sessionsOf(powers, task).flatMap(({ principal, may }) =>
    powers.store
      .archivedMemory(principal, SEARCHED)
      .filter(({ ref, at }) => may(ref.label) && isWithin(args, at)),
  )
  for (const { ref, action, at } of archived) {
    if (found.length >= FOUND_RESULTS) break
    const record = await openRecordOf(powers, ref)
    if (!record.ok) continue
    const kept = derive(record.value.whole(), (value) => stringsIn(value).join(', ').slice(0, RESULT_TEXT))
    if (isAsked(args, kept))
      found.push(derive(kept, (text) => ({ action, text, at: new Date(at).toISOString() })))
  }
  return found
}

/** A time names turns of the running conversation, too: a prompt has only the newest. */
async function findTurns(powers: Powers, task: Task, args: Arguments): Promise<readonly Labeled[]> {
  const asked = { limit: SEARCHED, archivedOnly: !namesTime(args) }
  const found: Labeled[] = []
  for (const session of sessionsOf(powers, task))
    for (const turn of powers.store.earlierTurns(session.principal, asked)) {
      if (found.length >= FOUND_TURNS) return found
      const text = isWithin(args, turn.at) ? await textOf(powers, turn, session) : null
      if (text === null || !isAsked(args, text)) continue
      const at = new Date(turn.at).toISOString()
      found.push(derive(text, (said) => ({ action: TALK, text: said, at })))
    }
  return found
}

/** Both sides, as far as they may be read; null where nothing of it may. */
async function textOf(
  powers: Powers,
  { words, answer }: Turn,
  { may }: Session,
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

/** Whether it came to be in the time that was named; anything did in none. */
function isWithin(args: Arguments, at: number): boolean {
  return test(
    args,
    ({ from, to }) =>
      typeof from !== 'string' || typeof to !== 'string' || (Date.parse(from) <= at && at < Date.parse(to)),
  )
}

/** Any word of the question in the text; without a question, everything. */
function isAsked(args: Arguments, text: Labeled<string>): boolean {
  const hit = combine<Json, boolean>([args, text], ([values, fact]) => {
    const words = wordsOf(values as { readonly [key: string]: Json })
    return words.length === 0 || words.some((word) => String(fact).toLowerCase().includes(word))
  })
  return test(hit, (value) => value)
}

function wordsOf({ query }: { readonly [key: string]: Json }): readonly string[] {
  if (typeof query !== 'string') return []
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => word.length > 2)
}
