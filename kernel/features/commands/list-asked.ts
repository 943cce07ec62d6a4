/**
 * Recognises which of the owner's lists a message asks for in free words, without a command or phrase. Must
 * not answer. Called by extract.ts and own-commands.ts.
 */

import { test } from '../../flow/labeled.ts'
import { type LabeledRecord, pick } from '../../flow/record.ts'
import { ASKED_OPERATIONS, type AskedOperation } from '../../powers/message-fields.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'

/** Null for any other message, and for one of somebody else, or beside something quoted or attached. */
export function listAsked(
  { principal, words, quoted, attached }: Task,
  said: LabeledRecord,
): AskedOperation | null {
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain) return null
  const intent = pick(said, ['intent'])
  const operation = pick(said, ['operation'])
  if (!intent.ok || !operation.ok || !test(intent.value, (value) => value === 'operation')) return null
  return ASKED_OPERATIONS.find((one) => test(operation.value, (value) => value === one)) ?? null
}
