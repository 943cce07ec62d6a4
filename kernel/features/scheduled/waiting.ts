/**
 * Lists the calls that wait for their time, cancels and restores one, and asks about another time. Must not run one. Called by
 * the operations on them, and by deliver-answer.ts for the words about one that ran.
 */
import { isPlainRecord } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { waitAgain } from '../../machine/machine.ts'
import { audit } from '../../powers/audit.ts'
import type { AtPlace, OwnerFacts, PolicySource, SecretScan } from '../../powers/ports.ts'
import { contentOf, openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { ApprovalStore, StoreOf, TaskStore, Transactions } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { restoreApproval } from '../../task/transferred-approval.ts'
import { namedMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { showTo } from '../deliveries/deliver.ts'
import { askToMove, endQuestions, type MovingPorts, newTimeOf } from './moving.ts'
import { type Asking, LATE_AFTER, MOST_SCHEDULED, type ScheduledPort, type ScheduledView } from './port.ts'
import { endWaiting, isTimed, scheduledTasks, type TimedTask } from './scheduled.ts'

type WaitingPorts = MovingPorts &
  AtPlace &
  SecretScan &
  PolicySource &
  StoreOf<Transactions & TaskStore & ApprovalStore & SealedStore>

export function createScheduled(powers: WaitingPorts): ScheduledPort {
  const all = async (asking: Asking): Promise<readonly (readonly [TimedTask, Viewed])[]> => {
    if (asking.principal !== OWNER_PRINCIPAL) return []
    const rows = await Promise.all(
      scheduledTasks(powers).map(async (task) => {
        const view = await viewOf(powers, task, asking)
        return view === null ? [] : [[task, view] as const]
      }),
    )
    return rows.flat()
  }
  return {
    list: async (asking) => (await all(asking)).map(([, view]) => shownOf(view)),
    async cancel(asking, which) {
      const found = meant(await all(asking), which)
      if (!found.ok) return found
      const [task, view] = found.value
      return end(powers, task) ? ok(shownOf(view)) : err('later_unknown')
    },
    async move({ message, ...asking }, which, time) {
      const found = meant(await all(asking), which)
      if (!found.ok) return found
      const [task, view] = found.value
      const to = newTimeOf(powers, task, time)
      if (!to.ok) return to
      const asked = await askToMove(powers, task, { to: to.value, sink: asking.sink, message })
      return asked.ok ? ok({ ...shownOf(view), to: to.value }) : asked
    },
    async restore(asking, number) {
      const back = asking.principal === OWNER_PRINCIPAL ? restored(powers, number) : err('later_unknown')
      if (!back.ok) return back
      const view = await viewOf(powers, back.value, asking)
      return view === null ? err('later_unknown') : ok(shownOf(view))
    },
  }
}

/** `words`: everything that names it. */
interface Viewed extends ScheduledView {
  readonly words: string
}

function shownOf({ number, text, due }: Viewed): ScheduledView {
  return { number, text, due }
}

/** Null if this chat may not show it. */
async function viewOf(
  powers: WaitingPorts,
  task: TimedTask,
  { principal, sink }: Asking,
): Promise<Viewed | null> {
  const words = await openTextOf(powers, task.words)
  const asked = words.ok ? showTo(powers, { sink, principal }, words.value) : words
  if (!asked.ok) return null
  const mail = await mailOf(powers, task)
  const shown = mail === null ? asked : showTo(powers, { sink, principal }, mail)
  const text = shown.ok ? shown.value : asked.value
  const number = powers.store.loadApproval(task.state.approval)?.number ?? 0
  // What it was asked for by names it as well, though another message may have changed it since.
  return { number, text, due: task.state.until, words: `${asked.value} ${text}` }
}

/** "to Tom Baker: Running late": by the bytes that were approved. Null where they say neither. */
async function mailOf(powers: WaitingPorts, { memory }: TimedTask): Promise<Labeled<string> | null> {
  const held = memory['w1']
  const bytes = held === undefined ? null : await contentOf(powers, held)
  if (bytes?.ok !== true) return null
  const { contacts } = powers.profile()
  const line = derive(bytes.value, (call) => {
    const { to, subject } = isPlainRecord(call) ? call : {}
    const names = [to].flat().map((one) => contacts.find(({ email }) => email === one)?.name ?? String(one))
    return typeof to === 'object' && typeof subject === 'string'
      ? tell('scheduled.mail', { to: names.join(', '), subject })
      : ''
  })
  return test(line, (text) => text !== '') ? line : null
}

/** Matches by number, else by all of the words; if only one waits, no words are needed. */
function meant(
  rows: readonly (readonly [TimedTask, Viewed])[],
  which: string,
): Result<readonly [TimedTask, Viewed]> {
  const wanted = wordsOf(which).filter((word) => !FILLING.has(word))
  const number = /^#?(\d{1,9})$/.exec(which.trim())?.[1]
  const found = rows.filter(([, view]) => {
    if (number !== undefined) return view.number === Number(number)
    const own = wordsOf(view.words)
    return wanted.every((word) => own.includes(word))
  })
  const [only, ...others] = found
  if (only === undefined) return err('later_unknown')
  return others.length > 0 ? err('later_ambiguous') : ok(only)
}

/** Words around a name or a time that identify no mail; in English and German. */
const FILLING: ReadonlySet<string> = new Set(
  'the my that this it one mail email e message to for at on about of from please later scheduled der die das den dem meine meinen sie es eine nachricht an für von vom mit um am im auf über zu zum zur wegen bitte noch später geplante geplanten'.split(
    ' ',
  ),
)

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/**
 * False if its time has come meanwhile. In one transaction, so that it is either sent or cancelled; a card about another time for it
 * asks about nothing then, and goes too.
 */
function end(powers: WaitingPorts, { id }: TimedTask): boolean {
  return powers.store.transaction(() => {
    const task = scheduledTasks(powers).find((one) => one.id === id)
    if (task !== undefined) {
      endQuestions(powers, task, 'denied')
      endWaiting(powers, task, 'withdrawn')
    }
    return task !== undefined
  })
}

/** In one transaction, so that it waits only once. A call whose time was changed waits for the new time. */
function restored(powers: WaitingPorts, number: number): Result<TimedTask> {
  const { store } = powers
  return store.transaction(() => {
    const approval = store.approvalNumbered(number)?.approval
    const task = approval === undefined ? null : store.loadTask(approval.task)
    if (approval === undefined || task === null || approval.due === null) return err('later_unknown')
    const again = restoreApproval(approval, powers.now())
    const waits = waitAgain(task, { approval: approval.id, until: approval.due })
    const isThere = [...Object.values(task.memory), task.words].every(
      ({ id }) => store.getSealed(id) !== null,
    )
    if (!again.ok && again.reason.code === 'approval_expired') return err('later_past')
    if (!again.ok || waits === null || !isTimed(waits) || !isThere) return err('later_unknown')
    if (scheduledTasks(powers).length >= MOST_SCHEDULED) return err('later_full', { max: MOST_SCHEDULED })
    store.saveApproval(again.value, null)
    store.saveTask(waits, [])
    audit(powers, 'memory_changed', waits, { what: 'scheduled', did: 'restored', due: approval.due })
    return ok(waits)
  })
}

/** Prefixes the result with the request, which was made long before. */
export async function timedWords(
  powers: SealedReading & OwnerFacts,
  task: Task,
  said: Labeled<string>,
): Promise<Labeled<string>> {
  const due = task.timed
  const words = due === undefined ? null : await openTextOf(powers, task.words)
  if (due === undefined || words?.ok !== true) return said
  const now = powers.now()
  const when = namedMoment(due, powers.profile().timezone, now)
  const late = now - due > LATE_AFTER ? tell('scheduled.late') : ''
  return combine([said, words.value, receive(when, kernelWords())], ([text = '', asked = '', at = '']) =>
    [tell('scheduled.was_for', { when: at, asked: shortened(asked) }), late, text]
      .filter((line) => line !== '')
      .join('\n'),
  )
}

/** Maximum UTF-16 units of a quoted request. */
const NAMED = 120

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= NAMED ? line : `${line.slice(0, NAMED).replace(/[\ud800-\udbff]$/, '')}…`
}
