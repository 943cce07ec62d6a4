/**
 * Forgets everything about a topic (E-20): finds the facts and the results of earlier answers that name it,
 * asks by a card that shows them, and forgets them on a yes. Must not forget what the card does not name, nor
 * show what the sink is not cleared for. Called by kernel-ports.ts and change.ts.
 */
import { stringsIn } from '../../flow/json.ts'
import { derive, joinProvenance } from '../../flow/labeled.ts'
import { ownerWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { oneLine } from '../../operations/lines.ts'
import { audit } from '../../powers/audit.ts'
import type { Actions, AskingTime, Ids } from '../../powers/ports.ts'
import { contentOf, keepText, type SealedKeeping } from '../../powers/sealed.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import { changeDigest, createApproval, toolOf } from '../../task/approval.ts'
import type { ProposedChange } from '../../task/proposed-change.ts'
import { tell } from '../../wording/words.ts'
import { showTo } from '../deliveries/deliver.ts'
import { tellForgotten } from '../places/tell-home.ts'
import {
  byHand,
  type ForgetPorts,
  hide,
  LOOKED_THROUGH,
  type NumberedPorts,
  type StoredEntry,
  shownTo,
  storedEntries,
} from './entries.ts'
import { about } from './entry-find.ts'
import type { Asking, EntryView, FactStore, MemoryStore } from './port.ts'
import { withWords } from './telling-words.ts'

/** Maximum entries that one approval forgets: bounds the card and the transaction. */
const MOST_AT_ONCE = 200
/** Maximum UTF-16 units of a fact on the card. */
const QUOTED = 300
/** The owner as the topic: every entry is about the owner. */
const ME = /^(?:me|myself|mich|mir)$/i

/** Ports needed to find and to ask. */
export type AskForgetPorts = NumberedPorts &
  SealedKeeping &
  Ids &
  AskingTime &
  Actions &
  StoreOf<MemoryStore & FactStore & ApprovalStore> &
  ForgetPorts

export interface ForgetAsked {
  readonly approval: string
  readonly facts: number
  readonly results: number
}

/** Uses the search that answers what is known about the topic. Refusal: memory_unknown if nothing names the topic. */
export async function askForget(
  powers: AskForgetPorts,
  asking: Asking,
  words: string,
): Promise<Result<ForgetAsked>> {
  const isAll = ME.test(words.trim())
  const facts = isAll ? await factsOf(powers, asking) : await factsAbout(powers, asking, words)
  const results = await resultsWith(powers, asking, isAll ? null : words)
  const entries = [...facts.map(({ id }) => id), ...results].slice(0, MOST_AT_ONCE)
  const line = powers.policy().sinks.find(({ id }) => id === asking.sink)
  if (entries.length === 0 || line === undefined) return err('memory_unknown')
  const shown = facts.slice(0, MOST_AT_ONCE)
  const left = entries.length - shown.length
  // The card quotes the facts, and counts the results.
  const named = storedEntries(powers, asking.principal, LOOKED_THROUGH).filter((stored) =>
    entries.includes(stored.id),
  )
  const behind = joinProvenance(ownerWords(asking.sink, line.level), ...named.map(({ ref }) => ref))
  const card = receive(cardOf({ words, shown, results: left }), behind)
  const id = powers.newId()
  const { principal, sink } = asking
  const change = { do: 'forget', entries } as const
  const until = powers.now() + powers.approvalTimeout
  const sealed = await keepText(powers, { principal, store: 'sessions', until }, card)
  const approval = createApproval({
    ...{ id, kind: 'choice', task: '', step: '', principal, tool: toolOf(change), sink, change },
    ...{ digest: changeDigest(change, sink), card: sealed.id, label: card.label },
    ...{ reason: 'choice_ambiguous', now: powers.now(), timeout: powers.approvalTimeout, told: false },
  })
  powers.store.transaction(() => {
    powers.store.saveApproval(approval, sealed)
    const { kind, tool, reason, label } = approval
    audit(powers, 'approval_asked', null, { approval: id, kind, tool, reason, label })
  })
  return ok({ approval: id, facts: shown.length, results: left })
}

function cardOf({
  words,
  shown,
  results,
}: {
  readonly words: string
  readonly shown: readonly Pick<EntryView, 'text'>[]
  readonly results: number
}): string {
  return [
    tell('memory.forget_about_asks', { about: oneLine(words).slice(0, QUOTED) }),
    ...shown.map(({ text }) => `- ${oneLine(text).slice(0, QUOTED)}`),
    ...(results === 0
      ? []
      : [tell(results === 1 ? 'memory.forget_about_result' : 'memory.forget_about_results', { results })]),
    tell('memory.forget_about_stays'),
  ].join('\n')
}

/** Facts with all of the words; if there are none, facts with any of them. */
async function factsAbout(
  powers: AskForgetPorts,
  asking: Asking,
  words: string,
): Promise<readonly Pick<EntryView, 'id' | 'text'>[]> {
  const found = await about(powers, asking, words)
  const named = withWords(words, found)
  return named.length > 0 ? named : found
}

async function factsOf(
  powers: AskForgetPorts,
  asking: Asking,
): Promise<readonly Pick<EntryView, 'id' | 'text'>[]> {
  const shown: Pick<EntryView, 'id' | 'text'>[] = []
  for (const stored of storedEntries(powers, asking.principal, LOOKED_THROUGH).filter(isFact)) {
    const one = await shownTo(powers, asking, stored)
    if (one.ok) shown.push(one.value)
  }
  return shown
}

const isFact = ({ kind }: StoredEntry): boolean => kind === 'fact'

/** Ids of results that contain all of the words and that this sink may show; without words, all results that it may show. */
async function resultsWith(
  powers: AskForgetPorts,
  asking: Asking,
  words: string | null,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const stored of storedEntries(powers, asking.principal, LOOKED_THROUGH)) {
    if (isFact(stored)) continue
    const content = await contentOf(powers, stored.ref)
    if (!content.ok) continue
    const open = showTo(
      powers,
      asking,
      derive(content.value, (value) => stringsIn(value).join(' ')),
    )
    if (!open.ok) continue
    if (words === null || withWords(words, [{ text: open.value }]).length > 0) found.push(stored.id)
  }
  return found
}

/** Forgets what was approved, in a transaction of the caller's; entries that are gone already stay gone. */
export function forgetAll(
  powers: ForgetPorts,
  { entries }: Extract<ProposedChange, { readonly do: 'forget' }>,
): Result<true> {
  const { owner: principal, sinks } = powers.policy()
  const wanted = new Set(entries)
  for (const stored of storedEntries(powers, principal, LOOKED_THROUGH)) {
    if (!wanted.has(stored.id)) continue
    hide(powers, principal, stored)
    if (isFact(stored)) void tellForgotten(powers, byHand({ principal, sink: sinks[0]?.id ?? '' }), stored.id)
  }
  return ok(true)
}
