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
export const TELLS =
  /^(?:i|i['’]?(?:m|ve|ll|d)|we|he|she|it|they|there|that|this|ich|wir|er|sie|es|das|dann)(?:['’](?:s|re|ve|ll|d|m))? /iu

/** Where a message may be cut in two; nowhere where it has a condition, as what follows may be a part of it. */
export function breaksIn(text: string): readonly { readonly from: number; readonly to: number }[] {
  if (text.length > LONGEST || CONDITION.test(text)) return []
  return [...text.matchAll(BREAKS)]
    .slice(0, MOST_BREAKS)
    .filter(({ index }) => !isInQuotes(text, index))
    .map(({ index: from, 0: mark }) => ({ from, to: from + mark.length }))
}

/** The breaks behind which a request stands. `read`: the fields of a text. */
export function requestsBehind(
  text: string,
  read: (text: string) => unknown,
): readonly { readonly from: number; readonly to: number }[] {
  return breaksIn(text).filter(({ to }) => {
    const tail = text.slice(to).trim()
    // "Nappies no. 5 on the list": a number is of what stands before it.
    const mayBe = /^\p{L}/u.test(tail) && tail.includes(' ') && !OF_BEFORE.test(tail)
    return mayBe && isRequest(tail, read(tail) as Fields)
  })
}

/** Whether declared words account for all of a text, or the trained table does. */
function isRequest(text: string, { intent, whole, learned, topic }: Fields): boolean {
  const isRead = whole === true || (learned === true && !TELLS.test(text))
  if (intent === 'memory_save' && !isFactOfItsOwn(text, topic)) return false
  return isRead && !TOOLLESS_INTENTS.includes(intent as never)
}

/** A pronoun for what stands before. */
const FACT_BEFORE = /^(?:it|that|this|them|es|das|die|dies\p{L}*)(?!\p{L})[\s.,!]/iu

/** "And remember that my pin is 3", but not "…, space 41. Remember that.", which keeps the words before it as well. */
function isFactOfItsOwn(text: string, topic: Json | undefined): boolean {
  if (typeof topic !== 'string' || !/^\p{L}/u.test(topic)) return false
  return !FACT_BEFORE.test(`${topic} `) && !text.startsWith(topic)
}
