/** Answers a sentence about a scheduled mail by running the operation on it. Called by own-commands.ts. */
import type { Labeled } from '../../flow/labeled.ts'
import type { Task } from '../../task/task.ts'
import { changeHeard } from '../scheduled/heard.ts'
import { operationAnswer } from './slash.ts'

type AnswerPorts = Parameters<typeof operationAnswer>[0] & Parameters<typeof changeHeard>[0]

/** Null for any other message. */
export async function scheduledAnswer(
  powers: AnswerPorts,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string> | null> {
  const heard = await changeHeard(powers, task)
  if (heard === null) return null
  const { operation, args, time } = heard
  return time === null
    ? operationAnswer(powers, task, words, { operation, args })
    : operationAnswer(powers, task, time.words, { operation, argument: time.argument, args })
}
