/**
 * Applies a correction of the owner to a text of a waiting call (F-11): "say Wednesday instead of tomorrow",
 * "ohne das danke", "sign it Gwen". The unchanged rest keeps its label and taint, and the result is asked
 * about anew. Must not decide, nor open a text except by `combine`. Called by transcript.ts.
 */
import { isDisclosed } from '../../../call/disclosure.ts'
import { resolveCall } from '../../../call/resolve.ts'
import { type Json, stringsIn } from '../../../flow/json.ts'
import { combine, type Labeled, type Provenance, test } from '../../../flow/labeled.ts'
import { ownerWords, receive } from '../../../flow/provenance.ts'
import { ownWordsOrigin } from '../../../flow/sink.ts'
import type { OwnerFacts } from '../../../powers/ports.ts'
import type { OutboxStore, StoredApproval, StoreOf } from '../../../powers/stores.ts'
import type { TypedAnswer } from '../../../task/answers/answer-words.ts'
import { corrected } from '../../../task/answers/corrected-text.ts'
import {
  type Correction,
  correctionIn,
  isValue,
  type SaidCorrection,
} from '../../../task/answers/correction-words.ts'
import type { Approval } from '../../../task/approval.ts'
import type { TaskReports } from '../../../task/outcome.ts'
import type { Task } from '../../../task/task.ts'
import { holdsSecret } from '../../../wording/guard/pasted.ts'
import { namingWords } from '../../memory/telling-words.ts'
import type { Sent } from '../../people/route.ts'
import {
  callOf,
  callsIn,
  isText,
  newestCall,
  typedAlone,
  usualText,
  type WaitingCall,
} from '../waiting-call.ts'
import { type EditPorts, type NewText, putting } from './edit-text.ts'
import type { LeaveOutPorts } from './leave-out.ts'

export type CorrectPorts = EditPorts & LeaveOutPorts & OwnerFacts & StoreOf<OutboxStore>

interface Waits {
  readonly stored: StoredApproval
  readonly task: Task
  readonly call: WaitingCall
}

/**
 * Null for a message that corrects no text of a card, and for one that only a plan can understand. Prepared before the
 * transaction, decided in it.
 */
export async function recogniseTextCorrection(
  powers: CorrectPorts,
  lane: TaskReports,
  { event, principal, chat }: Sent,
  over: (replaced: Approval) => void,
): Promise<(() => TypedAnswer) | null> {
  const typed = typedAlone({ event, principal })
  const said = typed === null ? null : correctionIn(typed)
  if (said === null) return null
  const newest = newestCall(powers, chat.id)?.[0].approval.id
  const cards = callsIn(powers, chat.id).flatMap(([stored]) => waitsAs(powers, stored))
  const words = receive(event.text, ownerWords(chat.id, chat.level))
  const fitting: { readonly card: Waits; readonly texts: readonly [NewText, ...NewText[]] }[] = []
  const shown = cards.find(({ stored }) => stored.approval.id === newest)
  // The card that was shown last, else any card whose text contains the words.
  for (const card of [...(shown === undefined ? [] : [shown]), ...cards.filter((one) => one !== shown)]) {
    const [first, ...others] = await textsFor(powers, card, { said, words, isNewest: card === shown })
    if (first !== undefined) fitting.push({ card, texts: [first, ...others] })
    if (first !== undefined && card === shown) break
  }
  const [only, ...others] = fitting
  if (only === undefined || others.length > 0) {
    const isOfIt = shown !== undefined && said.isSure && !isLeftToPlan(shown.call, said)
    return isOfIt && !(await namesGuest(powers, shown, said))
      ? () => ({ unchanged: 'nothing_found', of: shown.stored.approval.id, words: 'absent' })
      : null
  }
  const { stored, task } = only.card
  const { id } = stored.approval
  if (holdsSecret(event.text, powers.known)) return () => ({ unchanged: 'secret_pasted', of: id })
  if (only.texts.some((text) => !isWithin(only.card.call, text)))
    return () => ({ unchanged: 'field_too_large', of: id })
  const by = { stored, task, approval: id, principal: principal.id, place: event.place }
  const put = await putting(powers, lane, by, only.texts)
  return () => {
    const done = put()
    if (!done.ok) return { unchanged: done.reason.code, of: id }
    over(stored.approval)
    return { replaced: id }
  }
}

function waitsAs(powers: CorrectPorts, stored: StoredApproval): readonly Waits[] {
  const task = powers.store.loadTask(stored.approval.task)
  const call = task === null ? null : callOf(powers, task, stored.approval)
  return task === null || call === null ? [] : [{ stored, task, call }]
}

/** Whether the text is free wording, as in a mail, and not a name. */
function isWorded({ action }: WaitingCall): boolean {
  return action.worded !== undefined || action.post !== undefined || action.adds !== undefined
}

const DATED: readonly string[] = ['date']

/**
 * Whether the correction is left to a plan: a new time, also of a text that is sent at a time, more people, or an addition to a call
 * without a free text.
 */
function isLeftToPlan(call: WaitingCall, { readings }: SaidCorrection): boolean {
  const { fields } = call.action.args
  const isTimed = Object.keys(call.step.args).some((name) => DATED.includes(fields[name]?.kind ?? ''))
  if (isTimed && readings.some((one) => one.do === 'whole' && isValue(one.text))) return true
  if (isWorded(call)) return false
  return readings.some((one) => one.do === 'add' || (one.do === 'replace' && isTimed && isValue(one.old)))
}

/**
 * Whether a message such as "without Tom" names a contact whose address is on the card. A plan then removes the person; the text
 * stays.
 */
async function namesGuest(
  powers: CorrectPorts,
  { task, call: { action, step } }: Pick<Waits, 'task' | 'call'>,
  { readings }: SaidCorrection,
): Promise<boolean> {
  const words = readings.flatMap((one) => (one.do === 'leave' ? [...namingWords(one.what)] : []))
  const named = powers.profile().contacts.filter(({ name }) => {
    const own = namingWords(name)
    return words.length > 0 && words.every((word) => own.has(word))
  })
  if (named.length === 0) return false
  const resolved = await resolveCall(powers, task, { action, args: step.args, step: step.id })
  return (
    resolved.ok &&
    resolved.value.args.some(
      ({ spec, value }) =>
        spec.kind === 'list' &&
        spec.of.kind === 'email' &&
        test(value, (list) => named.some(({ email }) => stringsIn(list).includes(email))),
    )
  )
}

/** Whether it replaces a recipient. People are changed by a plan, which knows the contacts. */
function isOfPeople(one: Correction): boolean {
  return one.do === 'replace' && /^(?:to|an|for|für|cc|bcc) \S/iu.test(one.old)
}

interface Saying {
  readonly said: SaidCorrection
  readonly words: Labeled<string>
  readonly isNewest: boolean
}

/** Corrects each text of the call that contains the words. An addition goes to the usual text. */
async function textsFor(
  powers: CorrectPorts,
  { task, call }: Waits,
  { said, words, isNewest }: Saying,
): Promise<readonly NewText[]> {
  const { action, step } = call
  if (isLeftToPlan(call, said) || (await namesGuest(powers, { task, call }, said))) return []
  const resolved = await resolveCall(powers, task, { action, args: step.args, step: step.id })
  if (!resolved.ok) return []
  const usual = usualText(call)
  for (const reading of said.readings) {
    if (isOfPeople(reading)) continue
    const isAnywhere = reading.do === 'replace' || reading.do === 'leave'
    // A correction without words of the text refers to the card that was just shown.
    if (!isAnywhere && (!isNewest || !isWorded(call))) continue
    const made = resolved.value.args.flatMap(({ name, spec, value }) => {
      const isMeant = isAnywhere || (usual.ok && usual.value === name)
      // A disclosed argument must consist of the owner's words, so it is not corrected in part.
      const isOpen = isText(call, name) && (isOwners(value, task.sink) || !isDisclosed(spec))
      const text = isMeant && isOpen ? inText(value, reading, words) : null
      return text === null ? [] : [{ argument: name, words: text, ...(!isOwners(value, task.sink) && KEPT) }]
    })
    if (made.length > 0) return made
  }
  return []
}

const KEPT = { kept: true } as const

/** Whether the text consists only of words of the owner; then a correction is a plain edit. */
function isOwners({ label, taint }: Provenance, sink: string): boolean {
  return taint.level === 'clean' && label.atoms.every(({ origin }) => origin === ownWordsOrigin(sink))
}

/** The corrected text, with the provenance of both parts. Null if the text does not contain the words. */
function inText(value: Labeled, reading: Correction, words: Labeled<string>): Labeled<string> | null {
  const made = combine<Json, string>([value, words], ([text]) =>
    typeof text === 'string' ? (corrected(text, reading) ?? '') : '',
  )
  return test(made, (text) => text !== '') ? made : null
}

function isWithin({ action }: WaitingCall, { argument, words }: NewText): boolean {
  const spec = action.args.fields[argument]
  const max = spec !== undefined && 'max' in spec ? spec.max : undefined
  return max === undefined || test(words, (text) => text.length <= max)
}
