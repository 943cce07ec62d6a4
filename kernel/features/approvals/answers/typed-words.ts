/**
 * Replies to a typed approval or denial, and to `/approvals`: waiting cards with their numbers, one full card
 * in pages, or how a question ended. Shows only what this chat is cleared for. Must not decide;
 * typed-answer.ts did, at intake. Called by own-commands.ts.
 */
import { combine, derive, type Labeled } from '../../../flow/labeled.ts'
import { kernelWords, receive } from '../../../flow/provenance.ts'
import type {
  Actions,
  AtPlace,
  Outgoing,
  OwnerFacts,
  PolicySource,
  SecretScan,
} from '../../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../../powers/sealed.ts'
import type { ApprovalStore, OutboxStore, StoreOf, TaskStore } from '../../../powers/stores.ts'
import type { TypedAnswer, TypedOne } from '../../../task/answers/answer-words.ts'
import type { Task } from '../../../task/task.ts'
import { tell, wordsFor } from '../../../wording/words.ts'
import { hasAtOnce } from '../../channels/channel-port.ts'
import { showTo } from '../../deliveries/deliver.ts'
import type { WaitingStore } from '../../deliveries/waiting-port.ts'
import { policyFor } from '../../people/route.ts'
import { decidedWords } from '../card/card.ts'
import { briefCard, foldCard, pagesOf, pageText } from '../card/card-face.ts'
import { endedWords } from '../endings.ts'
import { holdsWords, ruleOf } from '../holds.ts'
import { countedCard, nameOf, numberOf, type Waiting, waitingOf } from '../waiting.ts'
import { textNames } from '../waiting-call.ts'
import { deliveredTo, isCardOf } from './shown-here.ts'

/** Ports needed to list what waits for the owner's decision. */
export type TypedWordsPorts = SealedReading &
  AtPlace &
  PolicySource &
  OwnerFacts &
  Actions &
  SecretScan &
  Outgoing &
  StoreOf<TaskStore & ApprovalStore & OutboxStore & WaitingStore>

export async function typedWords(
  powers: TypedWordsPorts,
  task: Task,
  typed: TypedAnswer,
): Promise<Labeled<string>> {
  if (!('answers' in typed)) return oneTyped(powers, task, typed)
  // A task that continues because of its answer reports by itself.
  const own = typed.answers.filter((one) => !('decided' in one && one.speaks))
  const words = await Promise.all(own.map((one) => oneTyped(powers, task, one)))
  return combine(words, (texts) => texts.join('\n'))
}

async function oneTyped(powers: TypedWordsPorts, task: Task, typed: TypedOne): Promise<Labeled<string>> {
  if ('listed' in typed) {
    const brief = typed.whole ? null : await repeated(powers, task, typed)
    return brief ?? listOf(powers, task, (name) => typed.listed.includes(name))
  }
  if ('elsewhere' in typed)
    return receive(
      tell(powers.place === 'home' ? 'approvals.number_of_edge' : 'approvals.number_of_home'),
      kernelWords(),
    )
  if ('refused' in typed) return receive(wordsFor(typed.refused), kernelWords())
  if ('each' in typed) return receive(eachWords(powers, typed), kernelWords())
  if ('unchanged' in typed) return receive(unchangedWords(powers, typed), kernelWords())
  if ('replaced' in typed)
    return receive(endedWords(powers, typed.replaced) ?? wordsFor('approval_unknown'), kernelWords())
  if ('ended' in typed)
    return receive(endedWords(powers, typed.ended) ?? wordsFor('approval_unknown'), kernelWords())
  return (await heldWords(powers, task, typed)) ?? receive(decidedWords(typed.decision), kernelWords())
}

/** Says how to answer each of several cards, after one answer to all of them decided none. */
function eachWords(
  powers: TypedWordsPorts,
  { each, decision, denied }: Extract<TypedAnswer, { readonly each: unknown }>,
): string {
  if (denied) return tell('approvals.refused_all', { count: each.length })
  const word = tell(decision === 'approve' ? 'approvals.word_yes' : 'approvals.word_no')
  const all = waitingOf(powers)
    .filter((group) => each.includes(nameOf(group)))
    .map((group) => `"${word} ${numberOf(powers, group.at(-1) ?? group[0]) ?? nameOf(group)}"`)
  return tell(decision === 'approve' ? 'approvals.each_yes' : 'approvals.each_no', { all: all.join(', ') })
}

/** Says that the card is unchanged, why, and what can be said instead. */
function unchangedWords(
  powers: TypedWordsPorts,
  { unchanged: code, of, words }: Extract<TypedAnswer, { readonly unchanged: unknown }>,
): string {
  if (words === 'absent') return tell('approvals.unchanged_absent')
  const names = of === undefined ? [] : textNames(powers, of)
  const isOpen = code === 'choice_ambiguous' || code === 'nothing_found'
  const [first] = waitingOf(powers)
  const which = first === undefined ? '' : String(numberOf(powers, first.at(-1) ?? first[0]) ?? nameOf(first))
  if (isOpen && of === undefined) return tell('approvals.unchanged_which', { which })
  if (isOpen && names.length > 0)
    return tell('approvals.unchanged_text', { names: names.join(', '), name: names[0] ?? '' })
  return isOpen ? tell('approvals.unchanged_none') : tell('approvals.unchanged', { why: wordsFor(code) })
}

/**
 * Confirmation after a change of the rules was approved, with its card; null for any other answer, or in a
 * chat that may not show the card.
 */
async function heldWords(
  powers: TypedWordsPorts,
  { sink, principal }: Task,
  { decided, decision }: Extract<TypedAnswer, { readonly decided: string }>,
): Promise<Labeled<string> | null> {
  const stored = decision === 'approve' ? ruleOf(powers, decided) : null
  const card = stored === null ? null : await openTextOf(powers, stored.card)
  if (stored === null || card?.ok !== true) return null
  const words = derive(card.value, holdsWords(powers, stored))
  return showTo(powers, { sink, principal }, words).ok ? words : null
}

/**
 * The only waiting card in one line, if this chat has already shown it whole; null for several, or if it may
 * not have been seen.
 */
async function repeated(
  powers: TypedWordsPorts,
  task: Task,
  { listed }: Extract<TypedAnswer, { readonly listed: readonly string[] }>,
): Promise<Labeled<string> | null> {
  const [name, ...others] = listed
  const group = waitingOf(powers).find((all) => nameOf(all) === name)
  if (name === undefined || group === undefined || others.length > 0 || isOfOptions(group)) return null
  const rows = hasAtOnce(powers, task.sink) ? deliveredTo(powers, task.sink) : []
  const stands = rows.some((row) => isCardOf(row, group))
  const [shown] = stands ? await shownHere(powers, task, [group]) : []
  const which = numberOf(powers, group.at(-1) ?? group[0]) ?? name
  return shown === undefined
    ? null
    : derive(shown.card, (whole) =>
        tell('approvals.still_waits', { card: briefCard(whole).join('\n').trimEnd(), which }),
      )
}

/** Whether the group is a question with options, which is shown whole again because one of its options is the answer. */
function isOfOptions(group: Waiting | undefined): boolean {
  return (group?.[0].approval.options ?? 0) > 0
}

/** All waiting cards, or the named ones. A single card is shown whole; of several, each has two lines. */
export async function listOf(
  powers: SealedReading & AtPlace & PolicySource & SecretScan & StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  isMeant: (name: string) => boolean = () => true,
): Promise<Labeled<string>> {
  const groups = waitingOf(powers)
  const cards = await shownHere(
    powers,
    task,
    groups.filter((group) => isMeant(nameOf(group))),
  )
  const shown = cards.map(({ card, group }) => {
    const number = numberOf(powers, group.at(-1) ?? group[0])
    const brief = (whole: string): string => briefCard(whole).join('\n   ').trimEnd()
    const face = (whole: string): string =>
      cards.length === 1 ? foldCard(whole, nameOf(group), number) : brief(whole)
    return derive(card, (whole) => `${number ?? nameOf(group)}. ${face(whole)}`)
  })
  const none = groups.length > 0 ? 'approvals.elsewhere' : 'approvals.nothing_waits'
  const [first] = cards
  const which =
    first === undefined ? '' : (numberOf(powers, first.group.at(-1) ?? first.group[0]) ?? nameOf(first.group))
  const how = cards.length === 1 ? 'approvals.answer_one' : 'approvals.how_to_answer'
  const isChoice = cards.length === 1 && isOfOptions(first?.group)
  const asks = isChoice ? wordsFor('choice_missing') : tell(how, { which })
  const words = receive(first === undefined ? tell(none) : asks, kernelWords())
  return combine([...shown, words], (texts) => texts.join(cards.length === 1 ? '\n\n' : '\n'))
}

/** One page of the full card, from 1; null when no card of that name waits here. */
export async function pageOf(
  powers: TypedWordsPorts,
  task: Task,
  { which, page }: { readonly which: string; readonly page: number },
): Promise<Labeled<string>> {
  const group = waitingOf(powers).find((all) =>
    [nameOf(all), String(numberOf(powers, all.at(-1) ?? all[0]))].includes(which),
  )
  const [found] = await shownHere(powers, task, group === undefined ? [] : [group])
  if (found === undefined)
    return receive(endedWords(powers, which) ?? tell('approvals.nothing_waits'), kernelWords())
  return derive(found.card, (whole) => {
    const pages = pagesOf(whole)
    const at = Math.min(Math.max(page, 1), pages.length)
    const next = at < pages.length ? `\n\n${tell('approvals.next_page', { which, page: at + 1 })}` : ''
    return `${pageText(pages, at - 1)}${next}`
  })
}

async function shownHere(
  powers: SealedReading & AtPlace & PolicySource & SecretScan & StoreOf<TaskStore>,
  { sink, principal, place }: Task,
  groups: readonly Waiting[],
): Promise<readonly { readonly group: Waiting; readonly card: Labeled<string> }[]> {
  // A card is listed only in a chat where an answer by the owner counts.
  const isOurs = policyFor(powers.policy(), { sink, principal, place }).sinks.some(
    (one) => one.id === sink && one.place === powers.place,
  )
  if (!isOurs) return []
  const cards = groups.map(async (group) => {
    const text = await openTextOf(powers, group[0].card)
    if (!text.ok) return []
    const card = countedCard(powers, text.value, group)
    return showTo(powers, { sink, principal }, card).ok ? [{ group, card }] : []
  })
  return (await Promise.all(cards)).flat()
}
