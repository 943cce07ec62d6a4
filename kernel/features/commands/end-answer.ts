/**
 * Answers "stop it" and "cancel the oven one" by running the operation that end-heard.ts recognised. Called
 * by own-commands.ts.
 */
import type { Labeled } from '../../flow/labeled.ts'
import type { Task } from '../../task/task.ts'
import { endHeard } from './end-heard.ts'
import { operationAnswer } from './slash.ts'

type AnswerPorts = Parameters<typeof operationAnswer>[0] & Parameters<typeof endHeard>[0]

/** Null for any other message. */
export async function endAnswer(
  powers: AnswerPorts,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string> | null> {
  const heard = await endHeard(powers, task)
  if (heard === null) return null
  const { operation, args, named } = heard
  return named === null
    ? operationAnswer(powers, task, words, { operation, args })
    : operationAnswer(powers, task, named.words, { operation, argument: named.argument, args })
}
