/**
 * Recognises "more" right after a page of memory, and which page it means: of the list, or of a search.
 * A row of commands/sentences.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { pick } from '../../flow/record.ts'
import { operationInMessage } from '../../operations/commands.ts'
import { type MessageReading, readMessage } from '../../powers/read-message.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'

/** Maximum pages that can be asked for one after another; also the number of messages of a chat that are searched. */
const MOST_PAGES = 40

const MORE =
  /^(?:(?:please |bitte )?(?:(?:show|tell|give) me )?(?:(?:some )?more|the (?:rest|others|next (?:ones|page))|next page)|(?:zeig(?:e)? (?:mir )?)?(?:mehr|weiter|weitere|(?:die )?nächste seite|die (?:übrigen|nächsten|restlichen)))(?:,? (?:please|bitte))?[.!]*$/iu

type RecognisedPage = MeantOperation<'memory.list' | 'memory.about'>

/** Null for any other message, or if the last answer of this chat was no such page. */
export async function recognisePage(
  powers: MessageReading & StoreOf<TaskStore>,
  task: Task,
): Promise<RecognisedPage | null> {
  const { id, principal, sink, turn, words, quoted, attached } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || !(await asksMore(powers, task))) return null
  let page = 2
  for (const before of powers.store.recentTasks(principal, MOST_PAGES)) {
    if (before.id === id || before.sink !== sink || before.turn > turn) continue
    if (await asksMore(powers, before)) page += 1
    else return pageAfter(powers, before, page)
  }
  return null
}

async function asksMore(powers: SealedReading, { words }: Task): Promise<boolean> {
  const said = await openTextOf(powers, words)
  return said.ok && test(said.value, (text) => MORE.test(text.trim()))
}

async function pageAfter(powers: MessageReading, before: Task, page: number): Promise<RecognisedPage | null> {
  const said = await openTextOf(powers, before.words)
  if (!said.ok || said.value.taint.level !== 'clean') return null
  const pages = Array.from({ length: MOST_PAGES }, (_, at) => at + 1)
  const listed = pages.find((one) => test(said.value, (text) => pageIn(text) === one))
  if (listed !== undefined)
    return { operation: 'memory.list', args: { page: listed + page - 1 }, named: null }
  const fields = await readMessage(powers, before)
  const intent = fields.ok ? pick(fields.value.said, ['intent']) : fields
  if (!fields.ok || !intent.ok || !test(intent.value, (value) => value === 'memory_search')) return null
  const topic = pick(fields.value.said, ['topic'])
  return topic.ok
    ? {
        operation: 'memory.about',
        args: { page },
        named: { argument: 'which', words: topic.value as Labeled<string> },
      }
    : { operation: 'memory.list', args: { page }, named: null }
}

/** Page of the list that a message asks for; 0 for any other message. */
function pageIn(text: string): number {
  const called = operationInMessage(text)
  if (called?.operation.name !== 'memory.list') return 0
  const said = called.args?.['page'] ?? called.rest.trim()
  return said === '' ? 1 : Number(said)
}
