/**
 * What a planner may see (C-06 – C-09, C-29): the owner's own words, metadata of this message and of earlier
 * turns, and the template's tools. Its type has no room for content. Called by plan.ts.
 */

import { isDisclosed } from '../call/disclosure.ts'
import { reachOf } from '../call/reach.ts'
import { recallHistory } from '../features/history/history.ts'
import { tellingWords } from '../features/memory/telling-words.ts'
import type { Json } from '../flow/json.ts'
import { combine, derive, type Labeled } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { type HandleFacts, type LabeledRecord, metadata, metadataProvenance } from '../flow/record.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { lookUpAction } from '../powers/effects.ts'
import type {
  Actions,
  DirectiveFiles,
  HistorySpan,
  HomeLine,
  OwnerFacts,
  OwnerProfile,
  PolicySource,
  Tools,
} from '../powers/ports.ts'
import { openRecordOf, openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { StoreOf } from '../powers/stores.ts'
import type { TurnStore } from '../powers/turn-port.ts'
import type { ToolCard } from '../prompt/parts.ts'
import type { SealedRef, Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { ownSession } from './read-through.ts'

/** Root of what was read out of this message. */
const SAID = 'said'
/** Highest match rank: a stranger who repeats the owner's words can say no more than this with them. */
const MAX_RANK = 3

export interface PlannerView {
  readonly request: Labeled<string>
  /** Earlier words of the same owner; never an answer, which quotes strangers (DESIGN §3). */
  readonly history: Labeled | null
  readonly metadata: readonly { readonly root: string; readonly action: string; readonly fields: Labeled }[]
  readonly tools: readonly ToolCard[]
}

/** What a planner is shown. */
export type PlannerViewPorts = SealedReading &
  PolicySource &
  OwnerFacts &
  Actions &
  Tools &
  HomeLine &
  DirectiveFiles &
  HistorySpan &
  StoreOf<TurnStore>

export async function plannerView(
  powers: PlannerViewPorts,
  task: Task,
  template: Template,
): Promise<Result<PlannerView>> {
  const request = await requestFor(powers, task, template)
  if (!request.ok) return request
  const views: PlannerView['metadata'][number][] = []
  const known: Known = {
    profile: powers.profile(),
    words: template.principalClass === 'owner' ? request.value : null,
  }
  for (const [root, ref] of rootsOf(task)) {
    const record = await openRecordOf(powers, ref)
    if (record.ok && ref.holds.what === 'record') {
      views.push({ root, action: ref.holds.action, fields: metadataOf(record.value, root, known) })
    }
  }
  const history = await historyOf(powers, task)
  const tools = await toolCards(powers, task, template)
  return ok({ request: request.value, history, metadata: views, tools })
}

/** A stranger's words never reach a planner: the template speaks for him (B-38, C-08). */
async function requestFor(
  powers: SealedReading,
  task: Task,
  template: Template,
): Promise<Result<Labeled<string>>> {
  if (template.principalClass === 'owner') return openTextOf(powers, task.words)
  return template.plannerDescription === null
    ? err('template_malformed', { template: template.id })
    : ok(receive(template.plannerDescription, kernelWords()))
}

function rootsOf(task: Task): readonly (readonly [string, SealedRef])[] {
  const results = Object.entries(task.results).flatMap(([root, result]) =>
    result.kind === 'sealed' ? [[root, result.ref] as const] : [],
  )
  return [
    ...(task.said === null ? [] : [[SAID, task.said] as const]),
    ...Object.entries(task.memory),
    ...results,
  ]
}

/** What the owner lends to a handle. His words are null where somebody else speaks. */
interface Known {
  readonly profile: OwnerProfile
  readonly words: Labeled<string> | null
}

function metadataOf(record: LabeledRecord, root: string, { profile, words }: Known): Labeled {
  const own = receive(null, metadataProvenance(record))
  const fields = (said: ReadonlySet<string>): Json =>
    metadata(record, root, (value) => ({ ...knownAs(value, profile), ...matched(value, said) })) as Json
  // What was read out of this very message holds its words anyway.
  if (words === null || root === SAID) return derive(own, () => fields(new Set()))
  return combine<Json, Json>([own, words], ([, text]) => fields(tellingWords(String(text))))
}

/** A stranger's address that the owner keeps as a contact may be called by the owner's own name for it. */
function knownAs(value: string, profile: OwnerProfile): HandleFacts {
  const contact = profile.contacts.find(({ email }) => email.toLowerCase() === value.toLowerCase())
  return contact === undefined ? {} : { known: contact.name }
}

/** How many of the owner's own words stand in it: by them a planner finds what he means without reading it. */
function matched(value: string, said: ReadonlySet<string>): HandleFacts {
  if (said.size === 0) return {}
  const rank = [...tellingWords(value)].filter((word) => said.has(word)).length
  return rank === 0 ? {} : { rank: Math.min(rank, MAX_RANK) }
}

async function historyOf(
  powers: SealedReading & PolicySource & HistorySpan & StoreOf<TurnStore>,
  task: Task,
): Promise<Labeled | null> {
  const { history } = await recallHistory(powers, {
    turns: powers.history.plannerTurns,
    // Words of another principal, linked or not, plan nothing here.
    from: [ownSession(powers, task)],
    lines: ({ words }) => (words.taint.level === 'clean' ? [{ ref: words, prefix: '' }] : []),
  })
  return history
}

/** Tools of the template that this place can have done now, or once home is back, in words of the kernel (I-09). */
export async function toolCards(
  powers: Actions & Tools & HomeLine & DirectiveFiles,
  task: Task,
  template: Template,
): Promise<readonly ToolCard[]> {
  const cards: ToolCard[] = []
  for (const id of template.tools) {
    const action = lookUpAction(powers.registry, id)
    if (!action.ok) continue
    const reach = await reachOf(powers, task, action.value)
    if (reach !== 'nowhere' && reach !== 'away') cards.push(cardOf(action.value))
  }
  return cards
}

function cardOf({ id, description, semantics, args }: RegisteredAction): ToolCard {
  const kinds = Object.entries(args.fields).map(([name, field]) => {
    const kind = isDisclosed(field) ? `${field.kind} (words of the message, exactly)` : field.kind
    return [name, field.optional === true ? `${kind} (optional)` : kind] as const
  })
  return { id, description, semantics, args: Object.fromEntries(kinds) }
}
