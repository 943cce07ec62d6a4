/**
 * Reads a message again without filler at its end, such as "now" and "again", if it was not understood with
 * it. Must not decide the intent. Called by message.ts.
 */
import { withoutFiller } from '../../../kernel/operations/plain-request.ts'
import type { Fields } from './message-taken.ts'

/**
 * The fields as typed, or those without such words if only they are of a request, or are whole and of the
 * same look at something: "on next week right now" is of nothing that is called "right".
 */
export function readFilled(text: string, read: (text: string) => Fields): Fields {
  const fields = read(text)
  const before = isOpen(fields) || isFoundByWords(fields) ? withoutFiller(text) : null
  const plain = before === null ? fields : read(before)
  if (isFoundByWords(fields))
    return plain['intent'] === fields['intent'] && plain['whole'] === true ? plain : fields
  return isOpen(plain) ? fields : plain
}

/** A calendar look-up by words of a title. */
function isFoundByWords({ intent, topic }: Fields): boolean {
  return intent === 'calendar_list' && topic !== undefined
}

function isOpen({ intent, whole, learned }: Fields): boolean {
  return intent === 'other' && whole === false && learned !== true
}
