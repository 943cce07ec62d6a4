/**
 * Recognises a question about what the card says that was shown last: "where is it?", "how long is it?", "wann ist das?". The card
 * answers it, whole. Must not decide it, nor read it. Called by home-talk.ts.
 */
import { openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { coreOf, fitting, type RecognitionPorts, whole } from './recognise-end.ts'

const IT = '(?:it|that|this|he|she|they)'
const ES = '(?:er|sie|es|das|der|die)'
const ASKS: readonly RegExp[] = whole([
  `(?:where|when|how long|what (?:time|day)|who) (?:is|does|will) ${IT}(?: (?:be|held|take|last|start|begin|end|go|on|to|for|at|again|come|then))*\\??`,
  `(?:where|when|who|what)(?:'s| is) (?:in |on |invited(?: to)? |coming(?: to)? )${IT}?\\??`,
  'what does (?:it|that|the card) (?:say|look like)(?: now| again)?\\??',
  '(?:show|read|let me see) (?:it|that|me (?:it|that|the card))(?: again| to me)*',
  `(?:wo|wann|wie lang(?:e)?|um wie ?viel uhr) (?:ist|geht|dauert|beginnt|findet|fängt) ${ES}(?: (?:denn|statt|an|nochmal|noch mal))*\\??`,
  `wer (?:ist|kommt)(?: (?:da|dazu|eingeladen|alles|mit))+\\??`,
  'zeig (?:es|das|sie|mir (?:das|die karte))(?: nochmal| noch mal)?',
])

/** Null for any other message, and where the request before this one put no card that still waits. */
export async function recogniseCard(powers: RecognitionPorts, task: Task): Promise<MeantOperation | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok || fitting(coreOf(said.value), ASKS) === undefined) return null
  const before = putBy(powers, task)
  const own = powers.store
    .pendingApprovals(principal)
    .filter(({ approval }) => approval.task !== '' && approval.task === before)
  const [only, ...others] = own
  if (only === undefined || others.length > 0 || only.approval.kind === 'clarification') return null
  return { operation: 'approvals.show', args: { which: only.approval.id }, named: null }
}

/** Requests that are looked back over: another such question may stand between. */
const LOOKED_BACK = 4

/** The newest request of this chat that planned anything. */
function putBy({ store }: RecognitionPorts, { id, principal, sink }: Task): string | undefined {
  return store
    .recentTasks(principal, LOOKED_BACK + 1)
    .filter((one) => one.id !== id && one.sink === sink && one.timed === undefined)
    .find(({ plan, state }) => (plan?.steps.length ?? 0) > 0 || state.at === 'awaiting_approval')?.id
}
