/**
 * Reads the owner's open reminders and tasks for a job of theirs, up to the ceiling of its task. Texts keep their label and taint. Must not
 * change a row. Called by kernel-effects.ts.
 */
import { createSieve } from '../../call/withheld.ts'
import type { Json } from '../../flow/json.ts'
import { combine, type Labeled } from '../../flow/labeled.ts'
import { checkRead } from '../../flow/policy.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Auditing } from '../../powers/audit.ts'
import type { OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL, parsePrincipalId } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { instantOf, zonedMinute } from '../../wording/output.ts'
import { MOST_LISTED, type Reminder, type ReminderStore } from './port.ts'

/** Refusal: principal_not_allowed for anybody but a job of the owner's. */
export async function listForJob(
  powers: Auditing & SealedReading & OwnerFacts & StoreOf<ReminderStore>,
  task: Task,
  action: string,
  args: Labeled<Readonly<Record<string, Json>>>,
): Promise<Result<Labeled>> {
  const name = parsePrincipalId(task.principal)
  if (!name.ok || name.value.kind !== 'cron') return err('principal_not_allowed')
  const kind = action === 'task.list' ? 'task' : 'reminder'
  const sieve = createSieve(powers, task)
  const may = sieve.noting((label) => checkRead(task.ceiling, label).allow)
  const rows = powers.store.openReminders(OWNER_PRINCIPAL, kind).filter(({ ref }) => may(ref.label))
  sieve.tell(action)
  const texts: { readonly row: Reminder; readonly text: Labeled<string> }[] = []
  // Some are due later than asked for, which only the arguments tell.
  for (const row of rows.slice(0, MOST_LISTED)) {
    const text = await openTextOf(powers, row.ref)
    if (text.ok) texts.push({ row, text: text.value })
  }
  const left = Math.max(0, rows.length - MOST_LISTED)
  const { timezone } = powers.profile()
  const count = receive<Json>(left, kernelWords())
  return ok(
    combine<Json, Json>([args, count, ...texts.map(({ text }) => text)], ([said, more = 0, ...open]) => {
      const until = instantOf((said as Readonly<Record<string, Json>>)['until'])
      const shown = texts.flatMap(({ row: { number, due } }, at) => {
        const text = open[at] ?? ''
        if (kind === 'task') return [{ number, text }]
        const isDue = due !== null && (until === null || due < until)
        return isDue ? [{ number, text, due: zonedMinute(due, timezone) }] : []
      })
      return kind === 'task' ? { tasks: shown, more } : { reminders: shown, more: until === null ? more : 0 }
    }),
  )
}
