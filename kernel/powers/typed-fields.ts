/**
 * The typed fields of words, where a part of a message or a sentence of ours is read once more. A reader that throws or gives no fields gives none (J-12): what
 * is asked of it goes on as for words that say nothing. Must not open a label. Called by whatever has plain words; whole messages are read by read-message.ts.
 */
import { isPlainRecord } from '../flow/json.ts'
import type { Extraction, MessageExtractor } from './ports.ts'

export type TypedFields = Readonly<Record<string, unknown>>

const NO_FIELDS: TypedFields = Object.freeze({})

export function typedFields(
  { extractor }: Extraction,
  text: string,
  context: Parameters<MessageExtractor['extract']>[1],
): TypedFields {
  try {
    const read = extractor.extract(text, context)
    return isPlainRecord(read) ? read : NO_FIELDS
  } catch {
    return NO_FIELDS
  }
}
