/**
 * The verb `clarify` (DESIGN §10): asks the owner which of several is meant, in the task's own chat. The
 * answer is the number of an option, never words; the result is that option with the provenance it has, so it
 * lowers nothing. Called by drive.ts.
 */

import { resolveRef } from '../../call/resolve.ts'
import { writtenValue } from '../../call/values/literals.ts'
import { rowsOf } from '../../call/values/rows-behind.ts'
import { controlAbove } from '../../call/values/select.ts'
import { isPlainRecord, type Json, type Path } from '../../flow/json.ts'
import { combine, derive, fingerprint, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit, denied } from '../../powers/audit.ts'
import type { AskingTime, AtPlace, OwnerFacts, PolicySource } from '../../powers/ports.ts'
import { keepText, type SealedKeeping, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import { APPROVAL_SPEND_WINDOW, approvalDigest, createApproval, spend } from '../../task/approval.ts'
import type { Reported } from '../../task/outcome.ts'
import {
  type Argument,
  type ClarifyStep,
  isReference,
  literalIndex,
  PLAN_BOUNDS,
  parseReference,
  type SelectStep,
} from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { StepResult, Task } from '../../task/task.ts'
import { guardAnswer } from '../../wording/guard/answer.ts'
import { type GuardPorts, guardFor, withoutSecrets } from '../../wording/guard/guard.ts'
import { inEnglish } from '../../wording/language.ts'
import { previewOf } from '../../wording/visible.ts'
import { tell } from '../../wording/words.ts'
import { showTo } from '../deliveries/deliver.ts'
import { noteOn } from './card/card.ts'
import { itemText, shortText } from './card/found.ts'

/** Name of the verb where a call has its tool. */
const CLARIFY = 'clarify'

type ClarifyPorts = GuardPorts &
  SealedReading &
  SealedKeeping &
  Auditing &
  AtPlace &
  AskingTime &
  PolicySource &
  OwnerFacts &
  StoreOf<ApprovalStore>

interface At {
  readonly index: number
  /** If the planner wrote no question, the kernel's words are used. */
  readonly step: Pick<ClarifyStep, 'id' | 'options'> & Partial<Pick<ClarifyStep, 'question'>>
  /** Approval that the owner just gave for this step, or null. */
  readonly approvalId: string | null
}

/**
 * A question for the owner, or the option that was chosen. Refusals: principal_not_allowed for anybody but
 * the owner; plan_malformed for an option that may not be shown as it is; those of a reference, and of
 * showing the question in this chat.
 */
export async function clarify(powers: ClarifyPorts, task: Task, at: At): Promise<Reported> {
  const { index, step, approvalId } = at
  const asked = await questionFor(powers, task, at)
  if (!asked.ok) return denied(powers, task, index, asked.reason)
  const { card, english } = asked.value
  // Digest of the English words, so that a change of the language does not change the question.
  const digest = fingerprint(english, (text) =>
    approvalDigest({ tool: CLARIFY, args: { card: text }, sink: task.sink }),
  )
  if (approvalId !== null) return chosen(powers, task, at, { approvalId, digest })
  const now = powers.now()
  const until = now + powers.approvalTimeout
  const sealed = await keepText(powers, { principal: task.principal, store: 'sessions', until }, card)
  const approval = createApproval({
    ...{ id: powers.newId(), task: task.id, step: step.id, principal: task.principal, tool: CLARIFY },
    ...{ sink: task.sink, digest, card: sealed.id, reason: 'choice_missing', label: card.label, now },
    ...{ timeout: powers.approvalTimeout, template: task.template },
    ...{ kind: 'clarification', options: step.options.length },
  })
  return {
    outcome: {
      got: 'needs_approval',
      step: index,
      approval: approval.id,
      reason: { code: 'choice_missing', facts: {} },
    },
    commit: () => {
      powers.store.saveApproval(approval, sealed)
      powers.store.keepSealed(rowsOf(task), until + APPROVAL_SPEND_WINDOW)
      audit(powers, 'approval_asked', task, {
        ...{ approval: approval.id, kind: approval.kind, tool: CLARIFY },
        ...{ reason: approval.reason, label: approval.label },
      })
    },
  }
}

/**
 * Asks which of several matching things is meant. Refusals: too_many_found for more than a person can compare
 * at a glance, and those of `clarify`.
 */
export function clarifyOne(
  powers: ClarifyPorts,
  task: Task,
  {
    step,
    found,
    ...at
  }: Omit<At, 'step'> & {
    readonly step: SelectStep
    readonly found: Extract<StepResult, { kind: 'aliases' }>
  },
): Promise<Reported> {
  const options = found.paths.map((path) => ({ $ref: referenceTo(found.root, path) }))
  if (options.length > PLAN_BOUNDS.meanings)
    return Promise.resolve(denied(powers, task, at.index, { code: 'too_many_found', facts: {} }))
  return clarify(powers, task, { ...at, step: { id: step.id, options } })
}

function referenceTo(root: string, path: Path): string {
  return path.reduce<string>((ref, key) => `${ref}${typeof key === 'number' ? `[${key}]` : `.${key}`}`, root)
}

/** The card, in kernel words around the planner's question and the options. */
async function questionFor(powers: ClarifyPorts, task: Task, { index, step }: At): Promise<Result<Asked>> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (task.principal !== OWNER_PRINCIPAL || template?.principalClass !== 'owner')
    return err('principal_not_allowed')
  const question = step.question === undefined ? null : await writtenValue(powers, task, step.question)
  if (question !== null && !question.ok) return question
  const guarded = (text: string): string =>
    guardAnswer(text, { ...guardFor(powers, task, { looksBack: false }), read: [], others: [] })
  const values: Labeled[] = []
  for (const option of step.options) {
    const value = await optionValue(powers, task, option)
    if (!value.ok) return value
    // A text of the planner is shown unchanged, or not at all.
    const isShown = !isWritten(option) || test(value.value, (text) => guarded(String(text)) === text)
    if (!isShown) return err('plan_malformed', { step: step.id })
    values.push(value.value)
  }
  const control = receive('', await controlAbove(powers, task, index))
  const worded = (): Labeled<string> => {
    const asks = question?.value ?? receive<Json>(tell('approvals.several_fit'), kernelWords())
    const lines = [
      derive(asks, (text) => guarded(String(text))),
      ...values.map((value, at) => derive(value, (inner) => optionLine(powers, task, at + 1, inner))),
    ]
    return combine([...lines, control], (texts) =>
      [...texts.slice(0, -1), tell('approvals.which_one')].join('\n'),
    )
  }
  const card = worded()
  if (test(card, (text) => withoutSecrets(powers, text) !== text)) return err('secret_in_call')
  const shown = showTo(powers, { sink: task.sink, principal: task.principal }, card)
  return shown.ok ? ok({ card, english: inEnglish(worded) }) : shown
}

interface Asked {
  readonly card: Labeled<string>
  /** The same in English. */
  readonly english: Labeled<string>
}

/** Whether the option is a text that the planner wrote; a stored plan has only a reference to it. */
function isWritten(option: Argument): boolean {
  return isReference(option) && literalIndex(option.$ref) !== null
}

/** Root of a reference to a waiting call (`q1`); only the tool of that call may use it. */
const WAITING = /^q\d/

function optionValue(powers: ClarifyPorts, task: Task, option: Argument): Promise<Result<Labeled>> {
  const isOpen = isReference(option) && !WAITING.test(option.$ref)
  return isOpen ? resolveRef(powers, task, option.$ref) : Promise.resolve(err('reference_malformed'))
}

/** Names and times of an option; a person is shown with the whole address. */
function optionLine({ profile }: OwnerFacts, { createdAt: now }: Task, number: number, value: Json): string {
  const { contacts, timezone } = profile()
  const shown = isPlainRecord(value) ? shortText(value, { timezone, now }) : value
  return previewOf(String(number), typeof shown === 'string' ? shown : itemText(shown), (address) =>
    noteOn(contacts, address),
  )
}

/** The choice refers to the shown options; other options since then make another question. */
function chosen(
  powers: ClarifyPorts,
  task: Task,
  { index, step }: At,
  { approvalId, digest }: { readonly approvalId: string; readonly digest: string },
): Reported {
  const approval = powers.store.loadApproval(approvalId)?.approval
  if (approval === undefined) return denied(powers, task, index, { code: 'approval_unknown', facts: {} })
  const spent = spend(approval, { digest, task: task.id, step: step.id, now: powers.now() })
  if (!spent.ok) return denied(powers, task, index, spent.reason)
  const result = resultOf(step.options[(approval.choice ?? 0) - 1])
  if (result === null) return denied(powers, task, index, { code: 'choice_missing', facts: {} })
  return {
    outcome: { got: 'selected', step: index, result },
    commit: () => powers.store.saveApproval(spent.value, null),
  }
}

/** Another name for the option, which keeps the label and the taint that it has. */
function resultOf(option: Argument | undefined): StepResult | null {
  const parsed = isReference(option) ? parseReference(option.$ref) : null
  return parsed?.ok === true ? { kind: 'alias', ...parsed.value } : null
}
