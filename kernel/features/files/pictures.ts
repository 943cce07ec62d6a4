/**
 * What a picture says, in words (B-27): its bytes are shown to one model of the owner's own, which has no tools, is told nothing of him
 * and answers with text; that text is as raw as what it looked at, so that writers read it and no planner does. Pictures are looked at
 * at home or not at all. Must not keep a picture. Called by attachments.ts.
 */
import { derive, type Provenance } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type AskNamedPorts, askLooker } from '../../model-call/model-call.ts'
import type { CostNotes, Files, Looker, Templates } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { Attached, Task, TaskFile } from '../../task/task.ts'
import type { FileText } from './file-port.ts'

export const LOOK = Object.freeze({
  /** UTF-16 units of what is said of one picture: a page of small print, told whole. */
  maxChars: 6_000,
  maxTokens: 2_000,
  /** Milliseconds: a small machine loads the model first, and somebody sits before the chat. */
  timeout: 180_000,
})

/** What was made of a picture bears what its model read, whatever that was. */
export interface SeenText extends FileText {
  readonly seen: Provenance
}

/** Whether anybody looks at pictures here: a company's model does not, whatever its owner acknowledged. */
export function looks({ files, sees }: Looker & Files): boolean {
  return files?.picture !== undefined && sees?.reader.locality === 'home'
}

/** What it takes to look at a picture. */
export type LookPorts = AskNamedPorts & SealedReading & Templates & Looker & CostNotes & Files

/** Refusals: those of `FilePort.picture` and of a model; nothing_found where the model says nothing. */
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
  // A port that took more than it was told to is not believed either.
  if (value.data.length > base64Of(most)) return err('response_too_large', { max: most })
  // It came with them, and is labelled as they are.
  const reply = await askLooker(powers, task, { ...LOOK, picture: derive(names.value, () => value) })
  if (!reply.ok) return reply.reason.code === 'answer_empty' ? err('nothing_found') : reply
  const { text, cut, provenance } = reply.value
  const isMore = cut || text.length > LOOK.maxChars
  const shown = text.slice(0, LOOK.maxChars).toWellFormed().trim()
  return ok({ text: isMore ? `${shown}\n[…]` : shown, seen: provenance })
}

/** Characters of so many bytes. */
function base64Of(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}
