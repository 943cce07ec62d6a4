/**
 * Reader pass (N-25), optional: one of the owner's own models, without tools or owner data, takes notes on long text by others;
 * the writer gets the notes instead. Extra protection, no boundary: notes keep the label and taint of their source. Without notes
 * the writer reads the original. Called through `Powers.tier` by synthesize.ts, at home only.
 */
import { type Json, mapStrings } from '../flow/json.ts'
import { combine, type Labeled, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import type { ModelReply } from '../inference/router.ts'
import type { DynamicTier } from '../powers/tier-port.ts'
import { askReader } from './model-call.ts'

/** UTF-16 units from which a text counts as a passage; a shorter one needs no notes. */
const PASSAGE = 280
/** Maximum results noted for one answer, in order; each is a call that delays the answer. */
const MOST = 5
/** Limits of the notes on one result: UTF-16 units, tokens, milliseconds. */
const NOTES = Object.freeze({ maxChars: 1_500, maxTokens: 600, timeout: 60_000 })
/** Placeholder for the passage. */
const NOTED = '[see facts]'

export const readFirst: NonNullable<DynamicTier['readFirst']> = async (powers, task, contents) => {
  const shown: (typeof contents)[number][] = []
  let left = MOST
  for (const each of contents) {
    const isToRead = left > 0 && each.content.taint.level !== 'clean' && test(each.content, hasPassage)
    const notes = isToRead ? await askReader(powers, task, { ...NOTES, contents: [each] }) : null
    // A model that failed is not tried again for this answer.
    if (isToRead) left = notes?.ok === true ? left - 1 : 0
    shown.push(notes?.ok === true ? { ...each, content: noted(each.content, notes.value) } : each)
  }
  return shown
}

/** Joins both provenances: notes are never less guarded than what the model read, and are sanitized and fenced like it. */
function noted(content: Labeled, { text, cut, provenance }: ModelReply): Labeled {
  if (cut) return content
  return combine<Json, Json>([content, receive(text, provenance)], ([whole = null, facts = '']) => {
    const rest = mapStrings(whole, (field) => (field.length < PASSAGE ? field : NOTED))
    return rest === NOTED ? { facts } : { facts, result: rest }
  })
}

function hasPassage(content: Json): boolean {
  let found = false
  mapStrings(content, (text) => {
    found ||= text.length >= PASSAGE
    return text
  })
  return found
}
