/**
 * Guards the text of a `message.reply` when its arguments are resolved, so that the bytes on the card, in the digest,
 * in the token and in the message are identical (invariant 6). Must not send. Called by resolve.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, type Labeled, test } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type GuardPorts, guardFor } from '../../pipeline/guard.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { Task } from '../../task/task.ts'
import { tellAnswer } from '../../wording/guard/told.ts'

/**
 * Keeps links from the owner's own message; removes any other, which the text's author invented, including links that
 * a stranger wrote. Raw text is marked as not the assistant's own words, and the owner reads it before it is sent.
 * Refusal: answer_empty when nothing may remain.
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
