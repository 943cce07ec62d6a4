/**
 * Answers "make it an hour later" and "push the oven one to 6" by running the operation that move-heard.ts
 * recognised. Called by own-commands.ts.
 */
import type { Labeled } from '../../flow/labeled.ts'
import type { Task } from '../../task/task.ts'
import { moveHeard } from './move-heard.ts'
import { operationAnswer } from './slash.ts'

type AnswerPorts = Parameters<typeof operationAnswer>[0] & Parameters<typeof moveHeard>[0]

/** Null for any other message. */
export async function moveAnswer(powers: AnswerPorts, task: Task): Promise<Labeled<string> | null> {
  const heard = await moveHeard(powers, task)
  if (heard === null) return null
  const { operation, args, argument, words } = heard
  return operationAnswer(powers, task, words, { operation, argument, args })
}
