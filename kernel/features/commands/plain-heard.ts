/**
 * An operation on the owner's reminders, list, jobs or quiet hours in words that no sentence has: what the message says is said plainly, and read as if it had been
 * typed so. Must not run the operation. Called by talk-heard.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { operationInMessage } from '../../operations/commands.ts'
import { OPERATIONS } from '../../operations/index.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { HeardTalk, SayPlainly } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { endHeard } from './end-heard.ts'
import { type MovePorts, moveHeard } from './move-heard.ts'

/** Null for any other message, and for one that a sentence reads. */
export async function plainHeard(
  powers: MovePorts,
  task: Task,
  sayPlainly: SayPlainly,
): Promise<HeardTalk | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const context = { now: powers.now(), timezone: powers.profile().timezone }
  const isRead = test(said.value, (text) => {
    const { intent } = powers.extractor.extract(text, context) as { readonly intent?: unknown }
    return intent !== 'other'
  })
  // Its own words come first.
  if (isRead || (await moveHeard(powers, task)) !== null || (await endHeard(powers, task)) !== null)
    return null
  const plain = derive(said.value, (text) => sayPlainly(text, context))
  const moved = await moveHeard(powers, task, plain)
  if (moved !== null) {
    const { operation, args, argument, words: told } = moved
    return { operation, args, named: { argument, words: told } }
  }
  return calledBy(plain)
}

/** The operation that a sentence calls, with what stands in its place. */
function calledBy(plain: Labeled<string>): HeardTalk | null {
  const called = OPERATIONS.find(({ name }) =>
    test(plain, (text) => text !== '' && operationInMessage(text)?.operation.name === name),
  )
  const [argument] = Object.keys(called?.args ?? {})
  if (called === undefined) return null
  const told = derive(plain, (text) => {
    const said = operationInMessage(text)
    return argument === undefined ? '' : String(said?.args?.[argument] ?? said?.rest ?? '')
  })
  const isTold = argument !== undefined && test(told, (text) => text !== '')
  return {
    ...{ operation: called.name, args: {} },
    named: isTold ? { argument, words: told } : null,
  }
}
