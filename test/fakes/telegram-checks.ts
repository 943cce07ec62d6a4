/**
 * What the scripted Bot API holds a message to, as strictly as the documents of the real one say: text, entities, buttons.
 * Throws a `Refusal`. Called by telegram-methods.ts.
 */
import type { InlineKeyboardMarkup, MessageEntity } from 'grammy/types'
import { badRequest } from './telegram-refusal.ts'

/** UTF-16 units of a message, bytes of a button's data. */
const MAX_TEXT = 4_096
const MAX_DATA = 64
const MAX_ENTITIES = 100
const PLAIN = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
]
const ALONE = ['code', 'pre']

export function checkText(text: unknown): string {
  if (text === undefined || typeof text !== 'string' || text.trim() === '')
    throw badRequest('message text is empty')
  if (text.length > MAX_TEXT) throw badRequest('message is too long')
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text))
    throw badRequest('strings must be encoded in UTF-8')
  // The server takes white space off the ends: entities that were counted with it would point elsewhere.
  if (text !== text.trim()) throw badRequest('white space at an end')
  return text
}

export function checkEntities(entities: unknown, text: string): readonly MessageEntity[] {
  if (entities === undefined) return []
  if (!Array.isArray(entities) || entities.length > MAX_ENTITIES)
    throw broken('expected an Array of entities')
  const list = entities as MessageEntity[]
  for (const entity of list) {
    const { type, offset, length } = entity
    if (![...PLAIN, ...ALONE].includes(type)) throw broken(`unsupported entity ${type}`)
    if (!Number.isInteger(offset) || !Number.isInteger(length) || offset < 0 || length < 1)
      throw broken('wrong entity offset')
    if (offset + length > text.length) throw broken('entity ends beyond the text')
    for (const other of list) if (other !== entity) checkPair(entity, other)
  }
  return list
}

/** Entities are one within the other or apart; code has none within it or around it but a quotation. */
function checkPair(one: MessageEntity, other: MessageEntity): void {
  const [start, end] = [other.offset, other.offset + other.length]
  const apart = end <= one.offset || start >= one.offset + one.length
  if (apart) return
  const within = start >= one.offset && end <= one.offset + one.length
  const around = start <= one.offset && end >= one.offset + one.length
  if (!within && !around) throw broken('entities cross')
  if (ALONE.includes(one.type) && other.type !== 'blockquote') throw broken('entity within code')
}

export function checkMarkup(markup: unknown): InlineKeyboardMarkup | undefined {
  if (markup === undefined) return undefined
  const rows = (markup as Partial<InlineKeyboardMarkup>).inline_keyboard
  if (!Array.isArray(rows)) throw badRequest("can't parse inline keyboard button")
  for (const button of rows.flat()) {
    if (typeof button.text !== 'string' || button.text === '')
      throw badRequest(
        "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
      )
    const data = 'callback_data' in button ? button.callback_data : undefined
    const bytes = new TextEncoder().encode(data ?? '').length
    if (bytes < 1 || bytes > MAX_DATA) throw badRequest('BUTTON_DATA_INVALID')
  }
  return markup as InlineKeyboardMarkup
}

function broken(why: string): Error {
  return badRequest(`can't parse entities: ${why}`)
}
