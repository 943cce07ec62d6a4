/**
 * Reads the typed fields of plain words, such as a part of a message or a sentence of the product. If the
 * reader throws or returns no record, there are no fields (J-12), and the caller continues as for words without
 * any. Must not open a label. Called by code that has plain words; read-message.ts reads whole messages.
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
