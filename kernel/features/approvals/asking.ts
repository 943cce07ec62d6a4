/**
 * Delivers cards to the owner (F-02, F-10, F-18): to the chat of the request, else to the next chat that accepts it, else later.
 * Only a card that was shown expires as denied (F-05): a card that no chat accepted waits as long as an answer does, and its
 * usual expiry starts when it is shown. Must not decide. Called by drive.ts and tick.ts.
 */

import { rowsOf } from '../../call/values/rows-behind.ts'
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  Clock,
  Delivery,
  OwnerChats,
  OwnerFacts,
  OwnerService,
} from '../../powers/ports.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { ApprovalStore, OutboxStore, StoredApproval, StoreOf, TaskStore } from '../../powers/stores.ts'
import { APPROVAL_SPEND_WINDOW, type Approval, type DecisionInput } from '../../task/approval.ts'
import type { Outcome, Reported } from '../../task/outcome.ts'
import { ASK_OWNER } from '../../task/plan.ts'
import type { Effect, Task } from '../../task/task.ts'
import { wordsFor } from '../../wording/words.ts'
import { type DeliverPorts, deliverToOwner } from '../deliveries/deliver.ts'
import { isPassing, WAITS_AT_MOST } from '../deliveries/waiting-line.ts'
import { putToOwner } from '../owner-question/owner-question.ts'
import { planButtons } from '../plan-mode/plan-card.ts'
import { bundleMoment, tellBundle } from './bundle.ts'
import { askAgainLabel, decidedWords, noneOfThese, yesNo } from './card/card.ts'
import { type CardName, cardFace, foldCard, pageAfter, TURNS, turnLabel } from './card/card-face.ts'
import type { CardPorts } from './card/card-opening.ts'
import { askableAgain, endedWords } from './endings.ts'
import { ruleOf } from './holds.ts'
import type { Standing } from './port.ts'
import { type CardsPorts, rowCardOf, rowsOn } from './row-cards.ts'
import { countedCard, MANY_WAITING, named, nameOf, numberOf, waitingOf } from './waiting.ts'

/**
 * Least milliseconds before a card that no chat accepted is retried; the wait doubles up to two minutes until
 * the question expires.
 */
const TELL_AGAIN = 15_000
const TELL_AGAIN_AT_MOST = 120_000

/** The card is rendered by the kernel and bears the label of the arguments. */
export async function askOwner(
  powers: DeliverPorts & CardPorts & OwnerService & CardsPorts,
  task: Task,
  { step, approval: id }: Extract<Effect, { do: 'ask_owner' }>,
): Promise<Reported> {
  const stored = powers.store.loadApproval(id)
  if (stored === null)
    return { outcome: { got: 'failed', step, reason: { code: 'approval_unknown', facts: { approval: id } } } }
  const outcome: Outcome = { got: 'asked', step, approval: id }
  // Nobody waits for this question in a chat, so it is delivered with the morning bundle.
  if (stored.approval.toldAt === null) return { outcome }
  const sent = await tell(powers, task, stored)
  if (sent.ok) return { outcome }
  if (isPassing(sent.reason.code)) return { outcome, commit: () => waitForChat(powers, stored.approval) }
  // No chat can ever show it, so it is closed.
  const closed = { ...stored.approval, state: 'expired' } as const
  return {
    outcome: { got: 'denied', step, reason: sent.reason },
    commit: () => powers.store.saveApproval(closed, null),
  }
}

async function tell(
  powers: DeliverPorts & OwnerChats & OwnerService & CardsPorts,
  task: Task | null,
  stored: StoredApproval,
): Promise<Result<true>> {
  const { id, expiresAt, tool } = stored.approval
  if (task !== null && tool === ASK_OWNER) return putToOwner(powers, task, stored)
  const text = await openTextOf(powers, stored.card)
  if (!text.ok) return text
  const all = waitingOf(powers)
  const place = all.findIndex((group) => group.some(({ approval }) => approval.id === id))
  const group = all[place] ?? ([stored] as const)
  const name = nameOf(group)
  const newest = group.at(-1) ?? stored
  const card = {
    id: `${task?.id ?? 'card'}:${id}`,
    // A credential question is not answered by yes or no, so it has no buttons.
    ...(stored.approval.kind === 'credential'
      ? { kind: 'notice' as const, approval: null }
      : { kind: 'card' as const, approval: name }),
    ...shownAs(countedCard(powers, text.value, group), 0, {
      ...{ name, number: numberOf(powers, newest) },
      buttons: buttonsOf(powers, stored.approval, text.value),
    }),
    until: expiresAt,
  }
  const sent = await deliverToOwner(powers, task, card, { first: stored.approval.sink })
  if (sent.ok && place === MANY_WAITING) await tellMany(powers, task, id)
  return sent
}

/** Notifies the owner that questions pile up. Triggered by the question that exceeds the limit, so once per pile-up (F-10). */
async function tellMany(
  powers: DeliverPorts & OwnerChats,
  task: Task | null,
  approval: string,
): Promise<void> {
  const text = receive(wordsFor('approvals_many'), kernelWords())
  await deliverToOwner(powers, task, { id: `many:${approval}`, kind: 'notice', text, approval: null })
}

/** Ports needed to redraw a card that was tapped and to state the status of its question. */
export type TapPorts = DeliverPorts & CardPorts & OwnerFacts & Actions & StoreOf<TaskStore & ApprovalStore>

/** Status of a card's question, and whether it has ended; null when there is no such question. */
export function standingOf(
  powers: Clock & AtPlace & OwnerFacts & Actions & StoreOf<TaskStore & ApprovalStore>,
  name: string,
): Standing | null {
  const state = powers.store.loadApproval(named(powers, name).id)?.approval.state
  const words = state === undefined ? null : endedWords(powers, name)
  if (state === undefined || words === null) return null
  return { isOver: state !== 'pending', words, said: ANSWERED[state] ?? null }
}

/** Whether nobody answered the question of this card, and the request may be asked once more. */
export function isAskableAgain(
  powers: AtPlace & Actions & StoreOf<TaskStore & ApprovalStore>,
  name: string,
): boolean {
  const approval = powers.store.loadApproval(named(powers, name).id)?.approval
  return approval !== undefined && askableAgain(powers, approval) !== null
}

const ANSWERED: Partial<Readonly<Record<Approval['state'], DecisionInput['decision']>>> = {
  approved: 'approve',
  spent: 'approve',
  denied: 'deny',
}

function buttonsOf(
  powers: CardsPorts,
  approval: Approval,
  card: Labeled<string>,
): NonNullable<Delivery['buttons']> {
  if (approval.kind === 'plan') return planButtons()
  if (approval.options !== null) return { ...noneOfThese(), options: approval.options }
  const rows = rowCardOf(powers, approval) === null ? 0 : rowsOn(card)
  return rows > 0 ? { ...yesNo(), rows } : yesNo()
}

interface Face extends CardName {
  readonly buttons: NonNullable<Delivery['buttons']>
}

/** Like `cardFace`, for a card that is still sealed. */
function shownAs(
  card: Labeled<string>,
  page: number,
  { buttons, ...name }: Face,
): Pick<Delivery, 'buttons'> & { readonly text: Labeled<string> } {
  const text = derive(card, (whole) => cardFace(whole, page, name).text)
  const more = TURNS.find((turn) => test(card, (whole) => cardFace(whole, page, name).more === turn))
  return { text, buttons: more === undefined ? buttons : { ...buttons, more: turnLabel(more) } }
}

/** Like `pageAfter`, limited to the pages that can follow. */
function nextPage(card: Labeled<string>, page: number, name: CardName): number {
  const isNext = (next: number): boolean => test(card, (whole) => pageAfter(whole, page, name) === next)
  return [page + 1, page + 2].find(isNext) ?? 0
}

/**
 * Turns the page of a waiting card in place; shows the same bytes that an approval would run. Returns the
 * page now shown. Refusals: those of a delivery; approval_unknown.
 */
export async function turnCard(
  powers: DeliverPorts & CardPorts & CardsPorts,
  {
    approval: name,
    delivery,
    page,
  }: { readonly approval: string; readonly delivery: string; readonly page: number },
): Promise<Result<number>> {
  const { id, most } = named(powers, name)
  const group = waitingOf(powers).find(([first]) => first.approval.id === id)
  const sink = powers.store.findDelivery(delivery)?.sink
  if (group === undefined || group.length < most || sink === undefined) return err('approval_unknown')
  const [first, ...others] = group
  const shown = [first, ...others.slice(0, most - 1)] as const
  const card = await openTextOf(powers, first.card)
  if (!card.ok) return card
  const whole = countedCard(powers, card.value, shown)
  const { task, expiresAt: until } = first.approval
  const face: Face = {
    ...{ name, number: numberOf(powers, shown.at(-1) ?? first) },
    buttons: buttonsOf(powers, first.approval, card.value),
  }
  const next = nextPage(whole, page, face)
  const payload = {
    id: delivery,
    kind: 'card',
    approval: name,
    until,
    ...shownAs(whole, next, face),
  } as const
  const turned = await deliverToOwner(powers, powers.store.loadTask(task), payload, { only: sink })
  return turned.ok ? ok(next) : turned
}

/**
 * Edits the card of an ended question in place: same delivery, decision added, buttons removed; one that
 * expired has a button to ask again. Where its text has been deleted, only the decision is shown. Refusals:
 * those of a delivery; approval_unknown.
 */
export async function closeCard(
  powers: DeliverPorts & CardPorts & Actions & StoreOf<TaskStore & ApprovalStore>,
  answered: {
    readonly approval: string
    readonly delivery: string
    readonly words: string
    /** False once it was asked again. */
    readonly again?: boolean
  },
): Promise<Result<true>> {
  const { approval: name, delivery, words, again = true } = answered
  const stored = powers.store.loadApproval(named(powers, name).id)
  if (stored === null) return err('approval_unknown')
  const card = await openTextOf(powers, stored.card)
  const { task, expiresAt } = stored.approval
  const text = card.ok
    ? derive(card.value, (whole) => `${foldCard(whole, name, numberOf(powers, stored))}\n\n${words}`)
    : receive(words, kernelWords())
  const isLeft = again && askableAgain(powers, stored.approval) !== null
  const of = { id: delivery, kind: 'notice', until: expiresAt, changes: true } as const
  const button = isLeft ? { approval: name, buttons: askAgainLabel() } : { approval: null }
  const sink = powers.store.findDelivery(delivery)?.sink ?? null
  return deliverToOwner(powers, powers.store.loadTask(task), { ...of, ...button, text }, { only: sink })
}

/**
 * A chat of the owner stops receiving: moves the questions waiting there to the next chat of the owner
 * (F-18). The old card stays; it is the same question and is decided once. Takes effect at the next tick.
 */
export function putElsewhere(powers: StoreOf<ApprovalStore & OutboxStore>, sink: string): void {
  const { store } = powers
  for (const { approval } of store.pendingApprovals(null)) {
    const { id, task, toldAt } = approval
    if (task !== '' && toldAt !== null && store.lastDelivery(task)?.sink === sink)
      markNotified(powers, id, null)
  }
}

function markNotified({ store }: StoreOf<ApprovalStore>, id: string, at: number | null): void {
  const approval = store.loadApproval(id)?.approval
  if (approval?.state === 'pending') store.saveApproval({ ...approval, toldAt: at }, null)
}

export interface Asking {
  /** Retries cards that no chat accepted (F-18) and sends the morning bundle, as far as due. */
  again(): Promise<void>
  /** When this question needs attention next (epoch ms): retry, bundle or expiry. */
  moment(approval: Approval): number
}

/**
 * The wait doubles after each attempt. Held in memory: a restart retries at once, which costs one extra
 * attempt.
 */
export function createAsking(
  powers: DeliverPorts & CardPorts & AskingTime & OwnerService & CardsPorts,
): Asking {
  const failures = new Map<string, { readonly at: number; readonly gap: number }>()
  const attempt = async (name: string, work: () => Promise<boolean>): Promise<void> => {
    const now = powers.now()
    const former = failures.get(name)
    if (former !== undefined && now < former.at) return
    if (await work()) failures.delete(name)
    else {
      const gap = former === undefined ? TELL_AGAIN : Math.min(TELL_AGAIN_AT_MOST, former.gap * 2)
      failures.set(name, { at: now + gap, gap })
    }
  }
  return {
    async again() {
      await attempt(BUNDLE, () => tellBundle(powers))
      const untold = powers.store.pendingApprovals(null).filter(({ approval }) => isUntold(approval))
      for (const stored of untold) await attempt(stored.approval.id, () => tellAgain(powers, stored))
    },
    moment(approval) {
      const { id, expiresAt } = approval
      if (isUntold(approval)) return Math.min(expiresAt, failures.get(id)?.at ?? powers.now())
      const bundled = bundleMoment(approval)
      return bundled === null ? expiresAt : Math.max(bundled, failures.get(BUNDLE)?.at ?? 0)
    },
  }
}

/** Key under which failures of the bundle are counted; no approval has this id. */
const BUNDLE = ''

function isUntold(approval: Approval): boolean {
  return approval.toldAt === null && bundleMoment(approval) === null
}

async function tellAgain(
  powers: DeliverPorts & CardPorts & AskingTime & OwnerService & CardsPorts,
  stored: StoredApproval,
): Promise<boolean> {
  const { id, task } = stored.approval
  const sent = await tell(powers, powers.store.loadTask(task), stored)
  const { approval = null } = (sent.ok && powers.store.loadApproval(id)) || {}
  if (approval?.state === 'pending')
    powers.store.transaction(() => powers.store.saveApproval(shownNow(powers, approval), null))
  return sent.ok
}

/**
 * Kinds whose task has nothing else to continue with. A choice, a credential and another person's question
 * have an expiry of their own.
 */
const PATIENT: readonly Approval['kind'][] = ['tainted_write', 'declassification', 'plan', 'clarification']

/** Marks the approval as not shown and extends the lifetime of the sealed rows it needs. The caller opens the transaction. */
export function waitForChat(
  { store }: StoreOf<TaskStore & ApprovalStore & SealedStore>,
  approval: Approval,
): void {
  if (approval.state !== 'pending') return
  const task = store.loadTask(approval.task)
  const mayWait = task !== null && PATIENT.includes(approval.kind) && approval.tool !== ASK_OWNER
  const expiresAt = mayWait ? approval.createdAt + WAITS_AT_MOST : approval.expiresAt
  store.saveApproval({ ...approval, toldAt: null, expiresAt }, null)
  if (!mayWait) return
  const heard = task.attached?.heard
  const rows = [approval.card, ...rowsOf(task), ...(heard === undefined ? [] : [heard.id])]
  store.keepSealed(rows, expiresAt + APPROVAL_SPEND_WINDOW)
}

/** Whether it waits for a chat, or ended while waiting for one. */
export function waitedForChat({ toldAt, createdAt, expiresAt, task }: Approval): boolean {
  return task !== '' && toldAt === null && expiresAt === createdAt + WAITS_AT_MOST
}

/** The approval once a chat accepted it: the usual expiry starts now. */
function shownNow(powers: Clock & AskingTime, approval: Approval): Approval {
  const toldAt = powers.now()
  const expiresAt = waitedForChat(approval) ? toldAt + powers.approvalTimeout : approval.expiresAt
  return { ...approval, toldAt, expiresAt }
}

/** Text under a card once it is answered. The card stays above, so the text does not repeat it. */
export function answeredWords(
  powers: StoreOf<ApprovalStore>,
  { approval, decision }: Pick<DecisionInput, 'approval' | 'decision'>,
): string {
  const isRule = decision === 'approve' && ruleOf(powers, approval) !== null
  return decidedWords(decision, isRule)
}
