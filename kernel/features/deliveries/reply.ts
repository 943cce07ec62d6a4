/**
 * The text of a `message.reply`, guarded where its arguments are resolved: what is shown on a card, digested, signed
 * for and sent are then the same bytes (invariant 6). Must not send. Called by resolve.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, type Labeled, test } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type GuardPorts, guardFor } from '../../pipeline/guard.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { Task } from '../../task/task.ts'
import { tellAnswer } from '../../wording/guard/told.ts'

/**
 * Links of the owner's own message may stand; any other was made up by whoever wrote the text. A stranger's words
 * vouch for nothing. Raw text speaks with a voice that is not the assistant's, and is read by the owner before it goes.
 * Refusal: answer_empty when nothing of the text may stay.
 */
export async function guardReply(
  powers: GuardPorts & SealedReading,
  task: Task,
  { text, cut }: { readonly text: Labeled; readonly cut: boolean },
): Promise<Result<Labeled>> {
  const words = task.words.taint.level === 'clean' ? await openTextOf(powers, task.words) : null
  const said: readonly Labeled[] = words?.ok === true ? [words.value] : []
  const isOthers = text.taint.level === 'raw'
  const judged = guardFor(powers, task, { looksBack: false })
  const guarded = combine<Json, Json>([text, ...said], ([reply, ...read]) =>
    typeof reply === 'string'
      ? tellAnswer(reply, { ...judged, read, others: isOthers ? [reply] : [] }, cut)
      : (reply ?? null),
  )
  return test(guarded, (inner) => inner === '') ? err('answer_empty') : ok(guarded)
}
