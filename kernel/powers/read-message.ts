/**
 * The typed fields of a task's own words, read deterministically (C-01, C-03). An extractor that throws or returns
 * malformed data yields empty fields and raw taint (J-12). Must not call a model. Called by extract.ts, by the writer's
 * view of a message that needs no tools, and by what recognises the owner's sentences.
 */
import { derive, type Labeled } from '../flow/labeled.ts'
import { extractRecord, type LabeledRecord, type RecordSource } from '../flow/record.ts'
import { CLEAN } from '../flow/taint.ts'
import { ok, type Result } from '../flow/verdict.ts'
import type { SealedRef, Task } from '../task/task.ts'
import { OTHER_MESSAGE, OWNER_MESSAGE, shapeOf } from './effects.ts'
import type { Actions, Clock, Extraction, OwnerFacts } from './ports.ts'
import { openTextOf, type SealedReading } from './sealed.ts'

/** Fields of a message that could not be read. */
const NOTHING = { intent: 'other', language: 'unknown', quoted: false, attachments: 0 }

/** Ports needed to read a message. */
export type MessageReading = SealedReading & OwnerFacts & Actions & Extraction

export interface ReadMessage {
  readonly said: LabeledRecord
  readonly action: string
}

/** Cache of extracted fields, by the reference that a running task holds. */
const reading = new WeakMap<SealedRef, ReadMessage>()

/** Typed fields of the task's own words; deterministic. */
export async function readMessage(powers: MessageReading, task: Task): Promise<Result<ReadMessage>> {
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return words
  const known = reading.get(task.words)
  if (known !== undefined) return ok(known)
  const action = task.words.taint.level === 'clean' ? OWNER_MESSAGE : OTHER_MESSAGE
  const read = { said: saidOf(powers, words.value, { action, task }), action }
  reading.set(task.words, read)
  return ok(read)
}

function saidOf(
  powers: Clock & OwnerFacts & Actions & Extraction,
  words: Labeled<string>,
  { action, task }: { readonly action: string; readonly task: Task },
): LabeledRecord {
  // Quotes and attachments are counted by the kernel, since the words do not tell (C-03).
  const beside = { quoted: task.quoted !== undefined, attachments: task.attached?.files.length ?? 0 }
  const shape = shapeOf(powers.registry, action)
  if (!shape.ok) throw new Error('the message declaration is missing')
  // The fields' label is that of the words. Their taint is that of the record's source, so typed fields
  // become clean and text does not.
  const source: RecordSource = { ...shape.value, inputs: { label: words.label, taint: CLEAN } }
  const context = {
    ...{ now: powers.now(), timezone: powers.profile().timezone },
    own: action === OWNER_MESSAGE,
  }
  const read = extractRecord(source, words, (text) =>
    withBeside(
      readSafely(() => powers.extractor.extract(text, context)),
      beside,
    ),
  )
  if (read.ok) return read.value
  const empty = extractRecord(
    source,
    derive(words, () => ''),
    () => ({ ...NOTHING, ...beside }),
  )
  if (!empty.ok) throw new Error('the empty message does not fit its own declaration')
  return empty.value
}

/** A malformed result is returned unchanged, and is refused as such. */
function withBeside(read: unknown, beside: Readonly<Record<string, unknown>>): unknown {
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read, ...beside } : read
}

function readSafely(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return NOTHING
  }
}
