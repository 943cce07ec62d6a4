/**
 * Reads the open reminders and tasks of the owner, for the owner or for a job of theirs, up to the ceiling of the task. Texts keep their label and taint. Must not
 * change a row. Called by kernel-effects.ts.
 */
import { createSieve } from '../../call/values/withheld.ts'
import type { Json } from '../../flow/json.ts'
import { combine, type Labeled, test } from '../../flow/labeled.ts'
import { checkRead } from '../../flow/policy.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Auditing } from '../../powers/audit.ts'
import type { Clock, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL, parsePrincipalId } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { instantOf, zonedMinute } from '../../wording/output.ts'
import { jobOfPrincipal } from '../jobs/frozen.ts'
import type { JobStore } from '../jobs/port.ts'
import { isOnList, listName } from './lists.ts'
import { MOST_LISTED, type Reminder, type ReminderStore } from './port.ts'

/** Newest runs of a job among which the one before this is found. */
const RUNS_BEFORE = 5
/** Milliseconds that the first run of a job looks back. */
const DAY = 86_400_000

/** Refusal: principal_not_allowed for anybody but the owner and the owner's jobs. */
export async function listOpen(
  powers: Auditing & SealedReading & OwnerFacts & StoreOf<ReminderStore & JobStore>,
  task: Task,
  action: string,
  args: Labeled<Readonly<Record<string, Json>>>,
): Promise<Result<Labeled>> {
  const name = parsePrincipalId(task.principal)
  if (task.principal !== OWNER_PRINCIPAL && !(name.ok && name.value.kind === 'cron'))
    return err('principal_not_allowed')
  const kind = action === 'task.list' ? 'task' : 'reminder'
  const sieve = createSieve(powers, task)
  const may = sieve.noting((label) => checkRead(task.ceiling, label).allow)
  const readable = (of: readonly Reminder[]) => of.filter(({ ref }) => may(ref.label))
  const all = readable(powers.store.openReminders(OWNER_PRINCIPAL, kind))
  const named = all.filter((row) => test(args, (asked) => isAskedFor(row, asked)))
  // Of a list that there is not, what is open is shown, with the lists that there are.
  const rows = named.length > 0 ? named : all
  const came =
    kind === 'task' ? [] : readable(powers.store.unanswered(OWNER_PRINCIPAL, lastTold(powers, task)))
  sieve.tell(action)
  const open = await textsOf(powers, rows.slice(0, MOST_LISTED))
  const past = await textsOf(powers, came.slice(0, MOST_LISTED))
  const left = Math.max(0, rows.length - MOST_LISTED)
  const { timezone } = powers.profile()
  const count = receive<Json>(left, kernelWords())
  const texts = [...open, ...past].map(({ text }) => text)
  return ok(
    combine<Json, Json>([args, count, ...texts], ([said, more = 0, ...words]) => {
      // Some are due later than asked for, which only the arguments tell.
      const until = instantOf((said as Readonly<Record<string, Json>>)['until'])
      if (kind === 'task')
        return {
          tasks: open.map(({ row: { number, list } }, at) => ({
            ...{ number, text: words[at] ?? '' },
            ...(list !== null && { list }),
          })),
          more,
        }
      const shown = open.flatMap(({ row: { number, due, repeat } }, at) => {
        const isDue = due !== null && (until === null || due < until)
        const again = repeat === null ? {} : { repeat: repeat.kind }
        return isDue ? [{ number, text: words[at] ?? '', due: zonedMinute(due, timezone), ...again }] : []
      })
      const unanswered = past.map(({ row: { number, occurrence, at: made } }, at) => ({
        ...{ number, text: words[open.length + at] ?? '' },
        due: zonedMinute(occurrence ?? made, timezone),
      }))
      return { reminders: shown, unanswered, more: until === null ? more : 0 }
    }),
  )
}

function isAskedFor({ list }: Reminder, { list: said }: Readonly<Record<string, Json>>): boolean {
  const name = typeof said === 'string' ? listName(said) : null
  return name === null || isOnList(list, name)
}

/** When this job told of them last; what came before that was told then. */
function lastTold(powers: Clock & StoreOf<JobStore>, { id, principal }: Task): number {
  const job = jobOfPrincipal(powers.store, principal)
  const before = job === null ? [] : powers.store.runsOf(job.id, RUNS_BEFORE)
  const last = before.find(({ task, ended }) => task !== id && ended !== null)
  return last?.started ?? powers.now() - DAY
}

interface Opened {
  readonly row: Reminder
  readonly text: Labeled<string>
}

async function textsOf(powers: SealedReading, rows: readonly Reminder[]): Promise<readonly Opened[]> {
  const texts: Opened[] = []
  for (const row of rows) {
    const text = await openTextOf(powers, row.ref)
    if (text.ok) texts.push({ row, text: text.value })
  }
  return texts
}
