/**
 * Replaces a text of a waiting call by the owner's own words (F-11). That is no approval: the result is asked
 * about again, under a new id. A message that changes something else, such as a time, is left to a plan. Must
 * not decide. Called by transcript.ts and shell.ts.
 */
import type { Labeled } from '../../../flow/labeled.ts'
import { ownerWords, receive } from '../../../flow/provenance.ts'
import { err, ok, type Result } from '../../../flow/verdict.ts'
import type { Auditing } from '../../../powers/audit.ts'
import type { Actions, AtPlace, OwnerChats, PolicySource, SecretScan } from '../../../powers/ports.ts'
import { RAW_LIFETIME, type SealedKeeping, sealForLater } from '../../../powers/sealed.ts'
import type {
  ApprovalStore,
  OutboxStore,
  StoredApproval,
  StoreOf,
  TaskStore,
  Transactions,
} from '../../../powers/stores.ts'
import type { TypedAnswer } from '../../../task/answers/answer-words.ts'
import {
  type EditWords,
  editInMessage,
  readsAsChange,
  readsAsCopy,
} from '../../../task/answers/edit-words.ts'
import { type Approval, replace } from '../../../task/approval.ts'
import type { TaskReports } from '../../../task/outcome.ts'
import { OWNER_PRINCIPAL } from '../../../task/principal.ts'
import type { Task } from '../../../task/task.ts'
import { holdsSecret } from '../../../wording/guard/pasted.ts'
import type { Sent } from '../../people/route.ts'
import { type Decided, note } from '../decisions.ts'
import type { OtherWords } from '../port.ts'
import { isNumberOfOther, named } from '../waiting.ts'
import {
  argumentsOf,
  callOf,
  cardToEdit,
  isCalled,
  isText,
  typedAlone,
  usualText,
  type WaitingCall,
} from '../waiting-call.ts'

/** Ports needed to replace the text of a question. */
export type EditPorts = Auditing &
  AtPlace &
  SealedKeeping &
  PolicySource &
  Actions &
  SecretScan &
  OwnerChats &
  StoreOf<TaskStore & ApprovalStore>

/**
 * Refusals: approval_unknown; secret_pasted; those of an approval; choice_ambiguous when several texts exist
 * and none of them is known to be meant; nothing_found when there is none; field_too_large.
 */
export async function editText(
  powers: EditPorts & StoreOf<Transactions>,
  lane: TaskReports,
  input: OtherWords,
): Promise<Result<Decided>> {
  const edit = await editing(powers, lane, { ...input, approval: named(powers, input.approval).id })
  return edit.ok ? powers.store.transaction(edit.value) : edit
}

/**
 * Prepares an edit, which is decided in the caller's transaction. `line`: the chat in which it was typed; by default, the chat of
 * the question.
 */
async function editing(
  powers: EditPorts,
  lane: TaskReports,
  input: OtherWords,
  line?: string,
): Promise<Result<() => Result<Decided>>> {
  const { approval: id } = input
  const stored = powers.store.loadApproval(id)
  const task = stored === null ? null : powers.store.loadTask(stored.approval.task)
  if (stored === null || task === null) return err('approval_unknown')
  const call = callOf(powers, task, stored.approval)
  const argument = call === null ? err('nothing_found') : textOf(call, input)
  if (!argument.ok) return argument
  if (holdsSecret(input.text, powers.known)) return err('secret_pasted')
  // Untainted, with the label of the owner's line.
  const chat = line ?? (task.principal === OWNER_PRINCIPAL ? task.sink : powers.adminSinks[0])
  const sink = powers.policy().sinks.find((one) => one.id === chat)
  if (sink === undefined) return err('sink_unknown')
  const words = receive(input.text, ownerWords(sink.id, sink.level))
  return ok(await putting(powers, lane, { ...input, stored, task }, [{ argument: argument.value, words }]))
}

interface Putting extends Pick<OtherWords, 'approval' | 'principal' | 'place'> {
  readonly stored: StoredApproval
  readonly task: Task
}

/** A new text for an argument. `kept`: part of the text was there before, and is not the owner's. */
export interface NewText {
  readonly argument: string
  readonly words: Labeled<string>
  readonly kept?: true
}

/** Seals the texts. The returned function puts them on a new card, in the caller's transaction. */
export async function putting(
  powers: EditPorts,
  lane: TaskReports,
  { stored, task, approval: id, principal, place }: Putting,
  texts: readonly [NewText, ...NewText[]],
): Promise<() => Result<Decided>> {
  const until = powers.now() + RAW_LIFETIME
  const keeping = { principal: task.principal, store: 'sessions', until } as const
  const sealed = await Promise.all(texts.map(({ words }) => sealForLater(powers, keeping, words)))
  const edits = texts.map(({ argument, kept }, at) => ({
    argument,
    ref: (sealed[at] as (typeof sealed)[number]).ref,
    ...(kept && { kept }),
  }))
  return () => {
    const waits = powers.store.loadApproval(id) ?? stored
    const decision = { approval: id, principal, place, decision: 'edit' } as const
    const replaced = replace(waits.approval, { principal, place, decision: 'approve', now: powers.now() })
    note(powers, waits, { ...decision, result: replaced })
    if (!replaced.ok) return replaced
    const fitted = lane.report(task.id, { got: 'edited', approval: id, edits }, () => {
      for (const one of sealed) one.put()
      powers.store.saveApproval(replaced.value, null)
    })
    return fitted ? ok({ task: task.id, principal: task.principal }) : err('task_unknown')
  }
}

function textOf(call: WaitingCall, { argument: said, text }: OtherWords): Result<string> {
  const name =
    said === undefined
      ? usualText(call)
      : argumentsOf(call).find((one) => isText(call, one) && isCalled(call, one, said))
  if (name === undefined) return err('nothing_found')
  if (typeof name !== 'string' && !name.ok) return name
  const own = typeof name === 'string' ? name : name.value
  const spec = call.action.args.fields[own]
  const max = spec !== undefined && 'max' in spec ? spec.max : undefined
  return max !== undefined && text.length > max ? err('field_too_large', { max }) : ok(own)
}

/**
 * Null for a message that is no edit, and for one that only a plan can understand. Prepared before the transaction, decided in
 * it.
 */
export async function recogniseEdit(
  powers: EditPorts & StoreOf<OutboxStore>,
  lane: TaskReports,
  { event, principal, chat }: Sent,
  over: (replaced: Approval) => void,
): Promise<(() => TypedAnswer) | null> {
  const typed = typedAlone({ event, principal })
  const said = typed === null ? null : editInMessage(typed)
  if (said === null) return null
  const meant = said.which === '' ? cardToEdit(powers, chat.id) : named(powers, said.which).id
  // "Edit: …" can only refer to a card; "edit profile: …" may be another request.
  if (meant === null) return said.field === '' ? () => ({ listed: [] }) : null
  if (said.which !== '' && isNumberOfOther(powers, said.which)) return () => ({ elsewhere: true })
  const stored = meant === 'several' ? null : powers.store.loadApproval(meant)
  if (stored === null)
    return () => ({ unchanged: meant === 'several' ? 'choice_ambiguous' : 'approval_unknown' })
  const { approval } = stored
  if (approval.state !== 'pending') return () => ({ ended: approval.id })
  const task = powers.store.loadTask(approval.task)
  const call = task === null ? null : callOf(powers, task, approval)
  const words = call === null ? said : wordsFor(call, said)
  if (words === null) return null
  const { field, text } = words
  const { id: by } = principal
  const input = { approval: approval.id, text, principal: by, place: event.place }
  const edit = await editing(powers, lane, { ...input, ...(field !== '' && { argument: field }) }, chat.id)
  if (!edit.ok) return () => ({ unchanged: edit.reason.code, of: approval.id })
  return () => {
    const done = edit.value()
    if (!done.ok) return { unchanged: done.reason.code, of: approval.id }
    over(approval)
    return { replaced: approval.id }
  }
}

/** Which text is replaced by which words; null for a change that only a plan can make. */
function wordsFor(call: WaitingCall, said: EditWords): EditWords | null {
  const { field, text } = said
  const { action } = call
  if (field !== '') {
    const named = argumentsOf(call).filter((one) => isCalled(call, one, field))
    const isOther = named.length > 0 && !named.some((one) => isText(call, one))
    return isOther ? null : said
  }
  const isWorded = action.worded !== undefined || action.post !== undefined || action.adds !== undefined
  if (!isWorded) {
    const [, first = '', rest = ''] = /^(\S+)\s+(\S.*)$/su.exec(text) ?? []
    if (argumentsOf(call).some((one) => isText(call, one) && isCalled(call, one, first)))
      return { ...said, field: first, text: rest }
  }
  return (isWorded ? readsAsCopy(text) : readsAsChange(text)) ? null : said
}
