/**
 * What a planner may see (C-06 – C-09, C-29): the owner's own words, metadata of this message and of earlier turns,
 * and the template's tools. The type has no field for content. Called by plan.ts.
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

/** Root of the fields extracted from this message. */
const SAID = 'said'
/** Highest match rank: bounds what a stranger can signal by repeating the owner's words. */
const MAX_RANK = 3

export interface PlannerView {
  readonly request: Labeled<string>
  /** Earlier words of the same owner; never an answer, which quotes others (DESIGN §3). */
  readonly history: Labeled | null
  readonly metadata: readonly { readonly root: string; readonly action: string; readonly fields: Labeled }[]
  readonly tools: readonly ToolCard[]
}

/** Ports needed to build a planner's view. */
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

/** A stranger's words never reach a planner; the template's own text replaces them (B-38, C-08). */
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

/** Knowledge of the owner used to describe a handle. The words are null when another person speaks. */
interface Known {
  readonly profile: OwnerProfile
  readonly words: Labeled<string> | null
}

function metadataOf(record: LabeledRecord, root: string, { profile, words }: Known): Labeled {
  const own = receive(null, metadataProvenance(record))
  const fields = (said: ReadonlySet<string>): Json =>
    metadata(record, root, (value) => ({ ...knownAs(value, profile), ...matched(value, said) })) as Json
  // Fields extracted from this message contain its words anyway.
  if (words === null || root === SAID) return derive(own, () => fields(new Set()))
  return combine<Json, Json>([own, words], ([, text]) => fields(tellingWords(String(text))))
}

/** An address that is one of the owner's contacts is described by the contact's name. */
function knownAs(value: string, profile: OwnerProfile): HandleFacts {
  const contact = profile.contacts.find(({ email }) => email.toLowerCase() === value.toLowerCase())
  return contact === undefined ? {} : { known: contact.name }
}

/** Number of the owner's own words found in it, by which a planner can choose an item without reading it. */
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
    // Words of another principal, linked or not, must not influence planning.
    from: [ownSession(powers, task)],
    lines: ({ words }) => (words.taint.level === 'clean' ? [{ ref: words, prefix: '' }] : []),
  })
  return history
}

/** Tools of the template that this place can use now, or once home is connected, described in kernel words (I-09). */
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
