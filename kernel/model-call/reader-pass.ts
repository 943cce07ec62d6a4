/**
 * The reader pass (N-25), where its owner wants one: what others wrote at length is read by a model of the owner's own first,
 * which has no tools and knows nothing of him, and the writer of the answer gets its notes in place of the passages; fields
 * stay as they are. One more reader between a stranger's words and the voice that speaks, and no wall: notes bear label and
 * taint of what they were made of, and are sanitized and fenced like it. Nothing follows from them but text. Where nobody notes anything,
 * the writer reads what it would have read. Called through `Powers.tier` by synthesize.ts, at home alone.
 */
import { type Json, mapStrings } from '../flow/json.ts'
import { combine, type Labeled, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import type { ModelReply } from '../inference/router.ts'
import type { DynamicTier } from '../powers/tier-port.ts'
import { askReader } from './model-call.ts'

/** UTF-16 units from which on a text is a passage: a subject or a snippet is told faster than noted. */
const PASSAGE = 280
/** Results that are noted for one answer, the first ones: each is a call that somebody waits for. */
const MOST = 5
/** UTF-16 units and tokens of the notes on one result, and milliseconds for it. */
const NOTES = Object.freeze({ maxChars: 1_500, maxTokens: 600, timeout: 60_000 })
/** Stands where a passage stood. */
const NOTED = '[see facts]'

export const readFirst: NonNullable<DynamicTier['readFirst']> = async (powers, task, contents) => {
  const shown: (typeof contents)[number][] = []
  let left = MOST
  for (const each of contents) {
    const isToRead = left > 0 && each.content.taint.level !== 'clean' && test(each.content, hasPassage)
    const notes = isToRead ? await askReader(powers, task, { ...NOTES, contents: [each] }) : null
    // One that cannot answer now is not waited for again.
    if (isToRead) left = notes?.ok === true ? left - 1 : 0
    shown.push(notes?.ok === true ? { ...each, content: noted(each.content, notes.value) } : each)
  }
  return shown
}

/** The join of both: whatever a model's answer bears, its notes are never less guarded than what it read. */
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
