/**
 * Sends an answer that would take too many messages as one file (H-15): the beginning as its caption, the whole as plain text, in
 * which nothing is a link. Sent once: the shelf records it. Must not look at labels, nor make a file of a question. Called by
 * sender.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Delivery } from '../../../kernel/powers/ports.ts'
import { digestOf } from '../../../kernel/task/capability.ts'
import { endAtWord } from '../../../kernel/wording/note.ts'
import type { SentShelf } from '../runtime/kept.ts'
import { type BotApi, MESSAGE } from './api.ts'
import type { Part } from './render.ts'

/** Most messages for one answer: a longer one is hard to read in a chat, and Telegram counts each message as a request. */
export const MOST_MESSAGES = 5
/** Longest caption in UTF-16 units; Telegram refuses a longer one. */
export const MAX_CAPTION = 1_024
const NAME = 'answer.txt'
const REST = '… The whole answer is in this file.'

export interface AnswerFile {
  readonly caption: string
  readonly text: string
}

/** Null for an answer that is sent as messages. */
export function fileOf({ kind }: Pick<Delivery, 'kind'>, parts: readonly Part[]): AnswerFile | null {
  const [first] = parts
  if (kind !== 'answer' || parts.length <= MOST_MESSAGES || first === undefined) return null
  const [paragraph = ''] = first.text.split(/\n\s*\n/)
  const begins = endAtWord(paragraph, MAX_CAPTION - REST.length - 1, true)
  return { caption: `${begins}${REST}`, text: parts.map(({ text }) => text).join('\n\n') }
}

/** Refusals: those of the Bot API. */
export async function putFile(
  { api, shelf }: { readonly api: BotApi; readonly shelf: SentShelf },
  { delivery, chat }: { readonly delivery: string; readonly chat: number },
  file: AnswerFile,
): Promise<Result<true>> {
  const said = digestOf([file.caption, file.text])
  const [known] = shelf.load(delivery)
  if (known?.said === said) return ok(true)
  const sent = await api.sendDocument({ chat, name: NAME, ...file })
  if (!sent.ok) return sent
  const message = MESSAGE.safeParse(sent.value)
  if (!message.success) return err('remote_rejected', { why: 'answer' })
  shelf.save(delivery, [{ message: message.data.message_id, said }])
  // A file cannot be edited: the former one is deleted. If that fails, both remain.
  if (known !== undefined) await api.call('deleteMessage', { chat_id: chat, message_id: known.message })
  return ok(true)
}
