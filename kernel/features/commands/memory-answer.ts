/**
 * Answers "more" after a page of memory by running the operation that shows the next page. Called by
 * own-commands.ts.
 */
import type { Labeled } from '../../flow/labeled.ts'
import { readMessage } from '../../pipeline/extract.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { pageHeard } from '../memory/paging.ts'
import { operationAnswer } from './slash.ts'

type AnswerPorts = Parameters<typeof operationAnswer>[0] &
  Parameters<typeof readMessage>[0] &
  StoreOf<TaskStore>

/** Null for any other message. */
export async function memoryAnswer(
  powers: AnswerPorts,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string> | null> {
  const heard = await pageHeard(powers, task, (before) => readMessage(powers, before))
  if (heard === null) return null
  const { page, topic } = heard
  return topic === null
    ? operationAnswer(powers, task, words, { operation: 'memory.list', args: { page } })
    : operationAnswer(powers, task, topic, { operation: 'memory.about', argument: 'which', args: { page } })
}
