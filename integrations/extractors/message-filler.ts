/**
 * Reads a message again without words at its end that say nothing, such as "now" and "again", where it is not understood with them. Must not decide what
 * is meant. Called by message.ts.
 */
import { withoutFiller } from '../../kernel/operations/plain-request.ts'
import type { Fields } from './message-taken.ts'

/** The fields as typed, or those without such words if only they are of a request. */
export function readFilled(text: string, read: (text: string) => Fields): Fields {
  const fields = read(text)
  const before = isOpen(fields) ? withoutFiller(text) : null
  const plain = before === null ? fields : read(before)
  return isOpen(plain) ? fields : plain
}

function isOpen({ intent, whole, learned }: Fields): boolean {
  return intent === 'other' && whole === false && learned !== true
}
