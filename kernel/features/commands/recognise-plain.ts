/**
 * Recognises operations on reminders, the list, jobs and quiet hours in words that no phrase matches: the message is rewritten as
 * a plain sentence, which must match the operation that it was made for. Must not run it. Called by home-talk.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { operationInMessage } from '../../operations/commands.ts'
import { OPERATIONS } from '../../operations/index.ts'
import type { Operation } from '../../operations/operation.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation, SaidPlainly, SayPlainly } from '../../powers/tier-port.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { recogniseEnd } from './recognise-end.ts'
import { type MovePorts, recogniseMove } from './recognise-move.ts'

/** Null for any other message, and for one that a phrase matches already. */
export async function recognisePlain(
  powers: MovePorts,
  task: Task,
  sayPlainly: SayPlainly,
): Promise<MeantOperation | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const context = { now: powers.now(), timezone: powers.profile().timezone }
  const isRead = test(said.value, (text) => {
    const { intent = 'other', learned = false } = typedFields(powers, text, context)
    return intent !== 'other' && !(learned === true && sayPlainly(text, context)?.whole === true)
  })
  // The message's own words take precedence over the plain sentence.
  if (isRead || (await recogniseMove(powers, task)) !== null || (await recogniseEnd(powers, task)) !== null)
    return null
  const meant = derive(said.value, (text): SaidPlainly | null => sayPlainly(text, context))
  const operation = OPERATIONS.find(({ name }) => test(meant, (one) => one?.operation === name))
  if (operation === undefined) return null
  const plain = derive(meant, (one) => one?.sentence ?? '')
  const moved = await recogniseMove(powers, task, plain)
  if (moved !== null) return isMoving(operation.name) ? moved : null
  return calledBy(plain, operation)
}

/** Both operations give a new time: a reminder that came is put off, any other is moved. */
function isMoving(operation: string): boolean {
  return operation === 'reminders.move' || operation === 'reminders.later'
}

/** The operation with the argument read from the plain sentence; null if that sentence matches another operation. */
function calledBy(plain: Labeled<string>, { name, args }: Operation): MeantOperation | null {
  if (!test(plain, (text) => operationInMessage(text)?.operation.name === name)) return null
  const [argument] = Object.keys(args)
  const argumentWords = derive(plain, (text) => {
    const said = operationInMessage(text)
    return argument === undefined ? '' : String(said?.args?.[argument] ?? said?.rest ?? '')
  })
  const hasArgument = argument !== undefined && test(argumentWords, (text) => text !== '')
  return {
    ...{ operation: name, args: {} },
    named: hasArgument ? { argument, words: argumentWords } : null,
  }
}
