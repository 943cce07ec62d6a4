/**
 * Recognises which of the owner's lists a message asks for in free words, without a command or phrase. Must
 * not answer. A row of sentences.ts.
 */

import { test } from '../../flow/labeled.ts'
import { pick } from '../../flow/record.ts'
import { ASKED_OPERATIONS, type AskedOperation } from '../../powers/message-fields.ts'
import { type MessageReading, readMessage } from '../../powers/read-message.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'

/** What is to be ended is not to be shown. */
const ENDS = /^(?:bitte |please )?(?:stopp?|cancel|delete|lösch|streich|beend)/iu

/** Null for any other message, for one of another person, and for one with a quotation or an attachment. */
export async function listAsked(
  powers: MessageReading,
  task: Task,
): Promise<MeantOperation<AskedOperation> | null> {
  const { principal, words, quoted, attached } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain) return null
  const read = await readMessage(powers, task)
  if (!read.ok) return null
  const intent = pick(read.value.said, ['intent'])
  const named = pick(read.value.said, ['operation'])
  if (!intent.ok || !named.ok || !test(intent.value, (value) => value === 'operation')) return null
  const operation = ASKED_OPERATIONS.find((one) => test(named.value, (value) => value === one))
  const said = await openTextOf(powers, words)
  const isEnding = !said.ok || test(said.value, (text) => ENDS.test(text))
  return operation === undefined || isEnding ? null : { operation, args: {}, named: null }
}
