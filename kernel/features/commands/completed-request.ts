/**
 * Joins the owner's answer to a question ("When?", "at 7") with the request that the question was about, as the words of a new task, which is
 * then checked like any request. Joins only the owner's own words, in one chat, within minutes. Must not plan. Called by home-talk.ts.
 */
import { combine, test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import type { Actions, ChatServices, Ids, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import type { CommandSense, Complete, Completed } from '../../powers/tier-port.ts'
import { RULES } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { Routed } from '../people/route.ts'

/** Milliseconds in which an answer belongs to the question: what is said later is said by itself. */
const ASKED_WINDOW = 15 * 60_000
/** UTF-16 units of an answer. */
const MOST = 120
/** Newest tasks of a principal that are searched for the last one of a chat. */
const LOOKED_BACK = 20

/**
 * Null for a message that answers no question, or stands for itself. Only code's own question has a code; what a model or a stranger's text asks has none, and the
 * model that asked reads the answer in the conversation.
 */
export async function completedIn(
  powers: SealedReading & Ids & OwnerFacts & ChatServices & Actions & CommandSense & StoreOf<TaskStore>,
  { event, principal, sink, words: provenance }: Pick<Routed, 'event' | 'principal' | 'sink' | 'words'>,
  complete: Complete,
): Promise<Completed | null> {
  const { kind, text, quoted, attachments, edits, replyTo } = event
  const isAlone = edits === undefined && replyTo === null && quoted.length + attachments.length === 0
  const isPlain = kind === 'message' && isAlone && text.length <= MOST
  if (principal.id !== OWNER_PRINCIPAL || !isPlain) return null
  const now = powers.now()
  const of = powers.store
    .recentTasks(principal.id, LOOKED_BACK)
    .find((task) => task.sink === sink && task.timed === undefined)
  if (of === undefined || !isAskedBack(of) || now - of.createdAt > ASKED_WINDOW) return null
  const asked = await openTextOf(powers, of.words)
  if (!asked.ok) return null
  const code = of.plan?.explanation ?? ''
  const context = { now, timezone: powers.profile().timezone }
  const whole = combine(
    [asked.value, receive(text, provenance)],
    ([request = '', answer = '']) => complete({ code, request, answer }, context) ?? '',
  )
  // "Connect" and a service is a request by itself.
  if (test(whole, (said) => said === '') || powers.tier.commands.isCommand(text, powers)) return null
  const keeping = { principal: principal.id, store: 'sessions', until: null } as const
  return { of, words: await sealForLater(powers, keeping, whole) }
}

/** Planned by code, from the owner's own words alone, and nothing of it was done. */
function isAskedBack({ plan, planner, words, quoted, attached, traces, state }: Task): boolean {
  if (state.at !== 'completed') return false
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  return (
    isPlain && planner === RULES && plan?.steps.length === 0 && plan.explanation !== '' && traces.length === 0
  )
}
