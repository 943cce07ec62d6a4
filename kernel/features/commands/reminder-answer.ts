/**
 * Answers "done", or an offered number, right after a reminder came, by running the operation on that
 * reminder. Called by own-commands.ts.
 */
import type { Labeled } from '../../flow/labeled.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import type { OutboxStore, StoreOf } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { answerHeard } from '../reminders/heard.ts'
import type { ReminderStore } from '../reminders/port.ts'
import { operationAnswer } from './slash.ts'

type AnswerPorts = Parameters<typeof operationAnswer>[0] &
  SealedReading &
  StoreOf<ReminderStore & OutboxStore>

/** Null for any other message. */
export async function reminderAnswer(
  powers: AnswerPorts,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string> | null> {
  const heard = await answerHeard(powers, task)
  if (heard === null) return null
  const args = { number: heard.number, how: heard.how }
  return operationAnswer(powers, task, words, { operation: 'reminders.answer', args })
}
