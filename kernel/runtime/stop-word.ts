/**
 * `/stop`, said in a chat: what was asked for there before it and is not answered yet ends with what is done so far, while the
 * word itself waits for its turn in the lane as any message (O-21). Counts in the owner's own words alone. Must not stop what was
 * asked for in another chat. Called by the shell's `receive`.
 */
import { test } from '../flow/labeled.ts'
import type { Powers } from '../powers/ports.ts'
import { openTextOf } from '../powers/sealed.ts'
import { STOP } from '../task/command.ts'
import type { TaskReports } from '../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import { closeChoices } from './home-wait.ts'
import type { Received } from './intake.ts'
import { closePlans } from './plan-questions.ts'

export async function stopAtWord(
  powers: Powers,
  lane: TaskReports,
  { task: id, principal, duplicate }: Received,
): Promise<void> {
  const task = duplicate || principal !== OWNER_PRINCIPAL ? null : powers.store.loadTask(id)
  if (task === null || task.words.taint.level !== 'clean') return
  const words = await openTextOf(powers, task.words)
  if (!words.ok || !test(words.value, (text) => text.trim().toLowerCase() === STOP)) return
  const before = powers.store.activeTasks(principal).filter((one) => one.task.turn < task.turn)
  for (const { task: open } of before) if (open.sink === task.sink) lane.report(open.id, { got: 'stopped' })
  closeChoices(powers)
  closePlans(powers)
}
