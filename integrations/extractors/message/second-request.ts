/**
 * Where a second request begins in a message: behind a break, with words that are a request of their own. Must not say whether the first is one. Called by message.ts,
 * for facts, and by the rules planner.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { TOOLLESS_INTENTS } from '../../../kernel/powers/message-fields.ts'
import { isInQuotes } from './in-quotes.ts'

type Fields = Readonly<Record<string, Json>>

/** Where a sentence or a clause may end. */
const BREAKS =
  /[.!?;]+\s+|\s*\n\s*|\s*[,;&]\s+(?:(?:and|then|also|und|dann|auch)\s+)*|\s+(?:and|then|und|dann)\s+(?:(?:then|also|dann|auch|noch)\s+)*/giu
const MOST_BREAKS = 5
/** UTF-16 units: requests are short. */
const LONGEST = 300
/** With "if" or "when" what follows is a part of it. */
const CONDITION =
  /(?<!\p{L})(?:if|when|whenever|unless|once|as soon as|wenn|falls|sobald|immer|solange)(?!\p{L})/iu
/** "Save that one": what is meant stands before it. */
const OF_BEFORE =
  /^\p{L}+ (?:(?:dir|mir) )?(?:it|that|this|them|one|den|die|das|ihn|sie|es|dies\p{L}*)(?: \p{L}{2,4})?[\s.!]*$/iu
/** Says something of the matter: a reason for the first, and no request. */
const TELLS =
  /^(?:i|i['’]?(?:m|ve|ll|d)|we|he|she|it|they|there|that|this|ich|wir|er|sie|es|das|dann)(?:['’](?:s|re|ve|ll|d|m))? /iu
/** The breaks behind which a request stands; none where the message has a condition, as what follows may be a part of it. `read`: the fields of a text. */
export function requestsBehind(
  text: string,
  read: (text: string) => unknown,
): readonly { readonly from: number; readonly to: number }[] {
  if (text.length > LONGEST || CONDITION.test(text)) return []
  return [...text.matchAll(BREAKS)].slice(0, MOST_BREAKS).flatMap(({ index: from, 0: mark }) => {
    const to = from + mark.length
    const tail = text.slice(to).trim()
    // "Nappies no. 5 on the list": a number is of what stands before it.
    const mayBe = /^\p{L}/u.test(tail) && tail.includes(' ') && !OF_BEFORE.test(tail)
    return mayBe && !isInQuotes(text, from) && isRequest(tail, read(tail) as Fields) ? [{ from, to }] : []
  })
}

/** Whether declared words account for all of a text, or the trained table does. */
function isRequest(text: string, { intent, whole, learned }: Fields): boolean {
  const isRead = whole === true || (learned === true && !TELLS.test(text))
  return isRead && !TOOLLESS_INTENTS.includes(intent as never)
}
