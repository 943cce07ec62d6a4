/**
 * Answers a free sentence that home recognised (talk-heard.ts) by running its operation. Called by
 * own-commands.ts.
 */
import type { Labeled } from '../../flow/labeled.ts'
import type { TalkSense } from '../../powers/tier-port.ts'
import type { Task } from '../../task/task.ts'
import { operationAnswer } from './slash.ts'

type TalkHeard = NonNullable<TalkSense['tier']['talk']>['heard']

/** What home hears in words that name nothing; null for any other message. */
export async function talkAnswer(
  powers: Parameters<typeof operationAnswer>[0] & Parameters<TalkHeard>[0] & TalkSense,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string> | null> {
  const heard = (await powers.tier.talk?.heard(powers, task)) ?? null
  if (heard === null) return null
  const { operation, args, named } = heard
  return operationAnswer(powers, task, named?.words ?? words, {
    ...{ operation, args },
    ...(named !== null && { argument: named.argument }),
  })
}
