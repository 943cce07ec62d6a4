/**
 * Describes a picture in words (B-27), at home only: one of the owner's own models sees its bytes, without tools or
 * owner data. The text is as tainted as the picture, so writers read it and planners do not. Must not store a
 * picture. Called by attachments.ts.
 */
import { derive, type Provenance } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type AskNamedPorts, askLooker } from '../../model-call/model-call.ts'
import type { CostNotes, Files, Looker, Templates } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { Attached, Task, TaskFile } from '../../task/task.ts'
import type { FileText } from './file-port.ts'

export const LOOK = Object.freeze({
  /** UTF-16 units of one description: enough for a page of small print. */
  maxChars: 6_000,
  maxTokens: 2_000,
  /** Milliseconds: a small machine must load the model first, while the owner waits. */
  timeout: 180_000,
})

/** The description bears the provenance of everything its model read. */
export interface SeenText extends FileText {
  readonly seen: Provenance
}

/** Whether pictures are described here. A cloud model never does it, whatever the owner acknowledged. */
export function looks({ files, sees }: Looker & Files): boolean {
  return files?.picture !== undefined && sees?.reader.locality === 'home'
}

/** Ports needed to describe a picture. */
export type LookPorts = AskNamedPorts & SealedReading & Templates & Looker & CostNotes & Files

/** Refusals: those of `FilePort.picture` and of a model; nothing_found when the model returns no text. */
export async function seenIn(
  powers: LookPorts,
  task: Task & { readonly attached: Attached },
  { ref, most }: Pick<TaskFile, 'ref'> & { readonly most: number },
): Promise<Result<SeenText>> {
  const names = await openTextOf(powers, task.attached.names)
  if (!names.ok) return names
  const fetched = await powers.files?.picture?.({ ref, sink: task.sink }, most)
  if (fetched?.ok !== true) return fetched ?? err('tool_unknown')
  const { value } = fetched
  // Checked again, in case the port ignored its limit.
  if (value.data.length > base64Of(most)) return err('response_too_large', { max: most })
  // The picture bears the label of its file's name.
  const reply = await askLooker(powers, task, { ...LOOK, picture: derive(names.value, () => value) })
  if (!reply.ok) return reply.reason.code === 'answer_empty' ? err('nothing_found') : reply
  const { text, cut, provenance } = reply.value
  const isMore = cut || text.length > LOOK.maxChars
  const shown = text.slice(0, LOOK.maxChars).toWellFormed().trim()
  return ok({ text: isMore ? `${shown}\n[…]` : shown, seen: provenance })
}

/** Base64 characters for this many bytes. */
function base64Of(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}
