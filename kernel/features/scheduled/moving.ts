/**
 * Changes the time of a waiting call: a new task asks about the whole call, and its approval replaces the old call by the new one
 * (`holdCall`). Must not change the waiting call itself. Called by waiting.ts.
 */
import { derive } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { advance, rowsFor, startPlanned } from '../../machine/machine.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Actions, Clock, Extraction, Ids, OwnerFacts, Templates } from '../../powers/ports.ts'
import { openTextOf, type SealedKeeping, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { ApprovalStore, EventStore, StoreOf, TaskStore, Transactions } from '../../powers/stores.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import { taskIdOf } from '../../task/capability.ts'
import { CANNED, type Plan } from '../../task/plan.ts'
import type { Task } from '../../task/task.ts'
import { instantOf, localMoment, namedMoment, zonedMinute } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { instantOfLocal } from '../reminders/repeat.ts'
import { FARTHEST_LATER, HELD_AFTER, type NewTime } from './port.ts'
import type { TimedTask } from './scheduled.ts'

export type MovingPorts = Auditing &
  Actions &
  Ids &
  Clock &
  OwnerFacts &
  Extraction &
  Templates &
  SealedKeeping &
  SealedReading &
  StoreOf<Transactions & TaskStore & ApprovalStore & EventStore>

/** A time without a day. */
const TIME_OF_DAY = /^(?:at |um )?\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|uhr|h|o'clock)?$/i
/** Milliseconds of tolerance: "now" means the minute that has begun. */
const THIS_MINUTE = 60_000

/**
 * The new time. A day without a time keeps the time of day of the waiting call, and a time without a day keeps its day. Refusals:
 * later_time_unclear, later_past, later_too_far, later_not_before.
 */
export function newTimeOf(
  powers: Clock & OwnerFacts & Extraction,
  { state: { until } }: TimedTask,
  { when, before }: NewTime,
): Result<number> {
  const said = (when ?? before ?? '').trim()
  const at = momentOf(powers, until, said)
  if (at === null) return err('later_time_unclear')
  const now = powers.now()
  if (when === null && until >= at) return err('later_not_before')
  if (at <= now - THIS_MINUTE) return err('later_past')
  return at - now > FARTHEST_LATER ? err('later_too_far') : ok(at)
}

function momentOf(powers: Clock & OwnerFacts & Extraction, until: number, said: string): number | null {
  const { timezone } = powers.profile()
  // Elsewhere a bare number is no time, so it is read as "at …"; a time of day refers to the day that the call has.
  const timed = /^\d/.test(said) ? `at ${said}` : said
  const typed = TIME_OF_DAY.test(said) ? `${/^um /i.test(said) ? 'heute' : 'today'} ${timed}` : said
  const read = typedFields(powers, typed, { now: powers.now(), timezone })
  const from = instantOf(read['from'])
  if (from === null) return null
  const [day, time] = localMoment(from, timezone).split(' ')
  const [dayNow, timeNow] = localMoment(until, timezone).split(' ')
  if (read['wholeDay'] === true) return instantOfLocal(`${day} ${timeNow}`, timezone)
  return TIME_OF_DAY.test(said) ? instantOfLocal(`${dayNow} ${time}`, timezone) : from
}

/** Refusals: tool_unknown if no action sets such a call; those of its sealed words. */
export async function askToMove(
  powers: MovingPorts,
  former: TimedTask,
  { to, sink, message }: { readonly to: number; readonly sink: string; readonly message: string },
): Promise<Result<true>> {
  const { principal, place, ceiling, tools, maxToolCalls } = former
  const plan = planFor(powers, former)
  const words = await openTextOf(powers, former.words)
  if (plan === null) return err('tool_unknown')
  if (!words.ok) return words
  const { timezone } = powers.profile()
  const when = namedMoment(to, timezone, powers.now())
  const asked = derive(words.value, (text) => tell('scheduled.moved_words', { asked: text, when }))
  const at = derive(words.value, () => zonedMinute(to, timezone))
  const keeping = { principal, store: 'sessions' } as const
  const own = await sealForLater(powers, { ...keeping, until: null }, asked)
  const time = await sealForLater(powers, { ...keeping, until: to + HELD_AFTER }, at)
  const template = powers.templates.find(({ id }) => id === former.template)
  const id = taskIdOf('moved', `${message}:${former.id}`)
  powers.store.transaction(() => {
    const begun = startPlanned(
      {
        ...{ id, trace: powers.newId(), event: id, turn: powers.store.nextTurn(principal), words: own.ref },
        ...{ template: former.template, principal, place, ceiling, tools, maxToolCalls },
        // A chat that may not show the mail gets no card about it.
        sink: template?.sinks.includes(sink) === true ? sink : former.sink,
        memory: { ...former.memory, w2: time.ref },
        createdAt: powers.now(),
      },
      { plan, planned: { label: words.value.label, taint: words.value.taint }, planner: CANNED },
    )
    const { task, rows } = rowsFor({ ...begun.task, instead: former.id }, begun.effects)
    endQuestions(powers, former, 'replaced')
    if (!powers.store.addTask(task, rows)) return
    own.put()
    time.put()
    audit(powers, 'task_created', task, {
      ...{ template: task.template, sink: task.sink, due: to, instead: former.id },
      ...{ kind: 'later', class: 'owner' },
    })
  })
  return ok(true)
}

/** A plan that sets the same call with the new time. */
function planFor({ registry }: Actions, { plan, tools }: TimedTask): Plan | null {
  const [runs] = plan?.steps ?? []
  if (runs?.do !== 'tool') return null
  const action = [...registry.actions.values()].find(
    ({ id, later }) => later?.runs === runs.tool && tools.includes(id),
  )
  if (action?.later === undefined) return null
  const args = { ...runs.args, [action.later.at]: { $ref: 'w2' } }
  return { explanation: '', steps: [{ id: 's1', do: 'tool', tool: action.id, args }] }
}

/**
 * Closes cards about another time for the same mail: only the last one counts (`replaced`), and of a mail that is cancelled none
 * (`denied`).
 */
export function endQuestions(
  { store, ...powers }: Auditing & Clock & StoreOf<TaskStore & ApprovalStore>,
  { id, principal }: Pick<Task, 'id' | 'principal'>,
  state: 'replaced' | 'denied',
): void {
  for (const { task } of store.activeTasks(principal)) {
    if (task.instead !== id || task.state.at !== 'awaiting_approval') continue
    const stored = store.loadApproval(task.state.approval)
    if (stored?.approval.state !== 'pending') continue
    store.saveApproval({ ...stored.approval, state, decidedAt: powers.now() }, null)
    store.saveTask(advance(task, { got: 'withdrawn' }).task, [])
    audit({ store, ...powers }, 'approval_decided', task, {
      ...{ approval: stored.approval.id, kind: stored.approval.kind, decision: state, ok: true },
    })
  }
}
