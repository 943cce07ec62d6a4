/**
 * Applies the output guard to a labelled answer: collects what its writer read, by author, and
 * returns the text that may be sent. Must not decide what may flow. Called by synthesize.ts.
 */
import { isPlainRecord, type Json, valueAt } from '../flow/json.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Actions, Clock, OwnerFacts } from '../powers/ports.ts'
import { REPLY } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { tellAnswer } from '../wording/guard/answer.ts'
import { type DeedRecord, reportsWrite } from '../wording/guard/deeds.ts'
import type { guardFor } from '../wording/guard/guard.ts'
import type { GuardContext } from '../wording/guard/unit.ts'
import { wordsFor } from '../wording/words.ts'
import { EDITED, type SynthesisView } from './synthesis-view.ts'
import { doneBy, RECORD } from './task-record.ts'

/** What a writer has read, by author, and the record of writes that ran. */
export interface Read {
  /** The owner's own text, the request first. */
  readonly own: readonly Labeled[]
  readonly others: readonly Labeled[]
  /** Lists of `{ id, values }`: an action, and what it did. */
  readonly deeds: readonly Labeled[]
  readonly wall: DeedRecord['wall']
}

/** The guard compares with everything the writer has read; the answer's label covers all of it already. */
export function readBy(
  { registry, now, profile }: Actions & Clock & OwnerFacts,
  { traces }: Task,
  { request, history, contents }: SynthesisView,
): Read {
  // If a service rejected its credential, the answer may say where to get a new one: fixed words with the
  // service's address.
  const connects = traces.flatMap(({ tool, outcome }) => {
    const action = outcome === 'done' ? undefined : registry.actions.get(tool)
    return action?.tool.connect === undefined ? [] : receive(action.tool.connect.where, kernelWords())
  })
  const record = contents.filter(({ action }) => action === RECORD)
  const done = writesDone({ registry }, traces)
  return {
    // Arguments that a planner wrote are not quotable sources.
    own: [
      request,
      ...(history === null ? [] : [history]),
      ...record.map(({ content }) => content),
      ...connects,
    ],
    others: contents.filter(({ action }) => action !== RECORD).map(({ content }) => content),
    deeds: [
      ...record.map(({ content }) => derive<Json, Json>(content, (lines) => deedsIn(lines, done))),
      ...contents.flatMap(({ action, content }) => {
        // Text that the owner put on a card applies to every write that ran.
        const by = [...done.values()].filter(({ id }) => action === EDITED || action === id)
        return by.length === 0
          ? []
          : [derive<Json, Json>(content, (values) => by.map((one) => deedOf(one, values)))]
      }),
    ],
    wall: { now: now(), zone: profile().timezone },
  }
}

/** Writes that ran, by action id. Replies are excluded: they go to another chat. */
function writesDone({ registry }: Actions, traces: Task['traces']): ReadonlyMap<string, RegisteredAction> {
  return new Map(
    traces.flatMap(({ tool, outcome }) => {
      const action = outcome === 'done' && tool !== REPLY ? lookUpAction(registry, tool) : null
      return action?.ok === true && action.value.semantics === 'write' ? [[tool, action.value] as const] : []
    }),
  )
}

/**
 * A view with only the writes that ran and that the answer does not mention. Everything that was done is
 * reported.
 */
export function untoldIn(
  powers: Actions,
  { traces }: Task,
  {
    view,
    read,
    answer,
  }: { readonly view: SynthesisView; readonly read: Read; readonly answer: Labeled<string> },
): SynthesisView | null {
  const done = writesDone(powers, traces)
  const isUntold = (action: string): boolean =>
    done.has(action) &&
    test(
      combine<Json, Json>([answer, ...readOf(read)], ([text, ...opened]) =>
        reportsWrite(String(text), action, recordIn(read, opened)),
      ),
      (told) => told === false,
    )
  const untold = view.contents.filter(({ action }) => isUntold(action))
  const record = view.contents.filter(({ action }) => action === RECORD)
  return untold.length === 0 ? null : { ...view, contents: [...untold, ...record], troubles: [], sought: [] }
}

/** Several lines may describe one action. The record uses its declared words. */
function deedsIn(lines: Json, done: ReadonlyMap<string, RegisteredAction>): Json {
  const all: readonly Json[] = Array.isArray(lines) ? lines : []
  return all.flatMap((line) =>
    [...done.values()].flatMap((action) =>
      isPlainRecord(line) && line['done'] === doneBy(action) ? [deedOf(action, { ...line, done: null })] : [],
    ),
  )
}

/** The service may be named, as the owner knows it. */
function deedOf(action: RegisteredAction, values: Json): { readonly id: string; readonly values: Json } {
  return { id: action.id, values: [values, action.tool.connect?.title ?? action.tool.name] }
}

/** The guard's context for an answer, from what was opened with it, in the order of `readOf`. */
export function contextFor(
  judged: ReturnType<typeof guardFor>,
  all: Read,
  opened: readonly Json[],
): GuardContext {
  const { own, others } = all
  const read = opened.slice(0, own.length + others.length)
  return { ...judged, read, others: read.slice(own.length), record: recordIn(all, opened) }
}

function recordIn({ own, others, wall }: Read, opened: readonly Json[]): DeedRecord {
  const deeds = opened.slice(own.length + others.length)
  const lines = deeds.flatMap((all) => (Array.isArray(all) ? all.flatMap(deedFrom) : []))
  return { lines, ownMessage: opened[0] ?? '', wall }
}

function deedFrom(line: Json): DeedRecord['lines'] {
  const [id, values] = [valueAt(line, ['id']), valueAt(line, ['values'])]
  return typeof id === 'string' && values !== undefined ? [{ id, values }] : []
}

/** All values that the guard opens besides the answer. */
export function readOf({ own, others, deeds }: Read): readonly Labeled[] {
  return [...own, ...others, ...deeds]
}

export function guarded(
  { answer, cut }: { readonly answer: Labeled<string>; readonly cut: boolean },
  read: Read,
  judged: ReturnType<typeof guardFor>,
): Labeled<string> {
  const text = combine<Json, string>([answer, ...readOf(read)], ([written, ...opened]) =>
    tellAnswer(String(written), contextFor(judged, read, opened), cut),
  )
  return derive(text, (kept) => (kept === '' ? wordsFor('answer_empty') : kept))
}
