/**
 * Tracks which turns of its owner the edge has sent to home (DESIGN §1). Turns wait in the session, where a task's last
 * transaction stores them; no other row is written for home. They are sent in batches, each at least once: home identifies a turn
 * by its task. Must not run twice at once. Called by the owner's object.
 */
import * as z from 'zod/mini'
import { parseJson } from '../../flow/json.ts'
import { err, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { isKernelEffect } from '../../powers/effects.ts'
import type { Actions, HomeLine, PolicySource } from '../../powers/ports.ts'
import { openRecordOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf, TaskStore, Turn, TurnStore } from '../../powers/stores.ts'
import type { OpenMemory } from '../places/home-port.ts'
import { type QueueResult, turnForHome } from '../places/tell-home.ts'
import type { SettingStore } from '../quiet/port.ts'
import type { MemoryEntry, MemoryStore } from './port.ts'

/** Maximum turns of one batch: keeps the message between two objects small. */
const BATCH = 50
/**
 * Maximum turns that wait for home: what an owner says in some weeks. Older ones stay only at the edge; home accepts at most
 * `MAX_SYNCED_A_DAY` a day, and would refuse the newest.
 */
export const MOST_TURNS_WAITING = 500

/** Name of the setting. */
const SENT = 'turns-handed'

const sentSchema = z.object({ upTo: z.number(), open: z.array(z.number()) })

/** Sent turns: all up to a number, except those whose task had not ended then. */
type SentTurns = z.output<typeof sentSchema>

type Waiting = StoreOf<SettingStore & TurnStore & TaskStore>

export type TurnsForHome = Waiting &
  Auditing &
  SealedReading &
  PolicySource &
  Actions &
  HomeLine &
  StoreOf<MemoryStore>

/**
 * Must be called before anything runs. Marks existing turns as sent, because an earlier version sent each turn by itself. An
 * empty store stays empty, so that a backup can still be restored into it.
 */
export function beginTurnsForHome({ store }: Waiting, principal: string): void {
  if (store.setting(SENT) !== null) return
  const upTo = store.lastTurn(principal)
  if (upTo > 0 || store.activeTasks(principal).length > 0) save(store, openUpTo(store, principal, upTo))
}

export function hasTurnsForHome({ store }: Waiting, principal: string): boolean {
  return waiting(store, principal, 1).length > 0
}

/** Whether all turns are sent now. Refused ones count as sent, and are audited. */
export async function sendTurnsToHome(
  powers: TurnsForHome,
  principal: string,
  anyway: boolean,
): Promise<boolean> {
  const { store, home } = powers
  if (home === null) return true
  skipOldest(powers, principal)
  for (;;) {
    const turns = waiting(store, principal, BATCH)
    if (turns.length === 0) return true
    const busy = turnsOfRunningTasks(store, principal)
    const made = await memoriesOf(powers, principal, turns)
    const results = await home.tellTurns(
      made.flatMap((one) => (one.ok ? [one.value] : [])),
      anyway,
    )
    const remaining = [...results]
    const taken: Turn[] = []
    for (const [n, turn] of turns.entries()) {
      const one = made[n]
      const result = one?.ok === true ? (remaining.shift() ?? err('home_offline')) : one
      if (result?.ok === false && one?.ok === true && result.reason.code === 'home_offline') break
      if (result?.ok === false)
        audit(powers, 'fault', store.loadTask(turn.task), { code: result.reason.code, effect: 'tell_home' })
      taken.push(turn)
    }
    if (taken.length > 0) markSent(store, taken, busy)
    if (taken.length < turns.length) return false
  }
}

function waiting(store: SettingStore & TurnStore, principal: string, limit: number): readonly Turn[] {
  const { upTo: after, open: also } = sentTurns(store)
  return store.turnsAfter(principal, { after, also, limit })
}

/** Turns whose state a crash or a damaged setting made unknown are sent again. */
function sentTurns(store: SettingStore): SentTurns {
  const parsed = z.safeParse(sentSchema, parseJson(store.setting(SENT) ?? ''))
  return parsed.success ? parsed.data : { upTo: 0, open: [] }
}

function save(store: SettingStore, sent: SentTurns): void {
  store.saveSetting(SENT, JSON.stringify(sent))
}

/** Numbers of the turns of running tasks. Tasks end in any order, so these turns are sent later. */
function turnsOfRunningTasks(store: TaskStore, principal: string): readonly number[] {
  return store.activeTasks(principal).map(({ task }) => task.turn)
}

function openUpTo(store: TaskStore, principal: string, upTo: number): SentTurns {
  return { upTo, open: turnsOfRunningTasks(store, principal).filter((turn) => turn <= upTo) }
}

/**
 * `turns`: in the order of their numbers. `busy`: tasks that ran when the turns were read; turns of tasks that ended since are
 * not among `turns`.
 */
function markSent(store: SettingStore, turns: readonly Turn[], busy: readonly number[]): void {
  const { upTo: before, open } = sentTurns(store)
  const numbers = turns.map(({ turn }) => turn)
  const last = Math.max(...numbers)
  const upTo = Math.max(before, last)
  const left = [...open.filter((turn) => turn > last), ...busy.filter((turn) => turn <= upTo)]
  save(store, { upTo, open: [...new Set(left)].filter((turn) => !numbers.includes(turn)) })
}

/** Skips the oldest turns when more wait than the maximum, because home was away for long. */
function skipOldest(powers: Waiting & Auditing, principal: string): void {
  const { store } = powers
  const before = sentTurns(store)
  const upTo = store.lastTurn(principal) - MOST_TURNS_WAITING
  if (upTo <= before.upTo) return
  const { open } = openUpTo(store, principal, upTo)
  audit(powers, 'fault', null, { code: 'home_offline', effect: 'tell_home', turns: upTo - before.upTo })
  save(store, { upTo, open })
}

async function memoriesOf(
  powers: TurnsForHome,
  principal: string,
  turns: readonly Turn[],
): Promise<readonly Result<OpenMemory>[]> {
  const { store } = powers
  const entries = store.memoryOf(
    principal,
    turns.map(({ task }) => task),
  )
  const made: Result<OpenMemory>[] = []
  for (const turn of turns) {
    const template = store.loadTask(turn.task)?.template
    const results = await resultsOf(
      powers,
      entries.filter(({ task }) => task === turn.task),
    )
    made.push(
      template === undefined ? err('task_unknown') : await turnForHome(powers, { turn, template }, results),
    )
  }
  return made
}

/**
 * Leaves out results that were not shown, which the other place would show to its planner, and those of kernel effects: the
 * number of a row of this place names nothing at home.
 */
async function resultsOf(
  powers: SealedReading & Actions,
  entries: readonly MemoryEntry[],
): Promise<readonly QueueResult[]> {
  const results: QueueResult[] = []
  for (const { action, ref } of entries) {
    const isHidden = ref.holds.what !== 'record' || ref.holds.unseen === true || isKernelEffect(action)
    const record = isHidden ? null : await openRecordOf(powers, ref)
    if (record?.ok === true) results.push({ action, record: record.value })
  }
  return results
}
