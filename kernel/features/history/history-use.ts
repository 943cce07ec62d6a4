/**
 * How much of a model's window the next prompt would use (O-35): system text, tools, conversation with summary, and
 * space for the answer. Uses sizes only; opens nothing. Called by compaction.ts.
 */
import { ALWAYS_BUDGET } from '../../directives/ownership.ts'
import type { Label } from '../../flow/label.ts'
import type { ModelProvider } from '../../inference/provider.ts'
import { readerFor, windowOf } from '../../inference/router.ts'
import { calibrationOf } from '../../inference/usage.ts'
import { AUDIENCES } from '../../model-call/model-call.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type {
  Actions,
  AtPlace,
  Clock,
  DirectiveFiles,
  Documents,
  Models,
  Templates,
  Texts,
} from '../../powers/ports.ts'
import type { GrantStore, HistorySize, StoreOf } from '../../powers/stores.ts'
import { estimateTokens, fillOf, reserveOf } from '../../prompt/budget.ts'
import type { PromptTexts } from '../../prompt/parts.ts'
import type { Task } from '../../task/task.ts'
import type { Template } from '../../template/template.ts'
import { modelsFor } from '../models/choice.ts'
import { acknowledgesCloud } from '../models/consent.ts'
import type { SettingStore } from '../quiet/port.ts'

/** Sealed bytes per token: four letters of Latin text. Other scripts have more bytes and more tokens. */
export const BYTES_PER_TOKEN = 4

interface Use {
  readonly provider: ModelProvider
  readonly window: number
  /** Tokens. */
  readonly used: number
}

interface UseInput {
  /** The last task; the next prompt is assumed to use its template. */
  readonly task: Task
  readonly size: HistorySize
  /** Join of the labels of everything in the conversation. */
  readonly label: Label
}

/** Null when no model may read the conversation. */
export function useOf(
  powers: HistoryUsePorts & Clock & AtPlace & StoreOf<GrantStore & SettingStore>,
  { task, size, label }: UseInput,
): Use | null {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined) return null
  const { ceiling } = template
  const models = modelsFor(powers, template, task)
  const chain = { models, ceiling, cloudRiskAcknowledged: acknowledgesCloud(powers, template.id) }
  const provider = readerFor(chain, label)
  if (provider === null) return null
  const window = windowOf(provider)
  const said = fixedText(powers.texts) + partsOf(powers, task) + size.bytes / BYTES_PER_TOKEN
  return { provider, window, used: said * calibrationOf(provider).factor + reserveOf(window) }
}

interface CouldFill extends Omit<UseInput, 'label'> {
  /** Possible size of notes in bytes: assumed to exist, which saves one query. */
  readonly notes: number
}

/** Whether the history is too small for notes to gain anything, with any window. Evaluated after every message. */
export function isSmall({ models }: Models, size: HistorySize): boolean {
  const smallest = Math.min(...models.map(windowOf))
  return size.bytes / BYTES_PER_TOKEN <= smallest * LEAST_SHARE
}

/** Ports for the other parts of a prompt. */
export type HistoryUsePorts = Actions & Templates & Texts & Documents & Models & DirectiveFiles

/**
 * Whether a prompt with this much history could fill the window of any model, whichever may read it. Evaluated first,
 * so that no turn is read when compaction cannot be due.
 */
export function couldFill(powers: HistoryUsePorts, { task, size, notes }: CouldFill): boolean {
  const bytes = size.bytes + notes
  const said = fixedText(powers.texts) + partsOf(powers, task) + bytes / BYTES_PER_TOKEN
  return powers.models.some((provider) => {
    const window = windowOf(provider)
    return fillOf(said * calibrationOf(provider).factor + reserveOf(window), window) !== 'fits'
  })
}

const FIXED = new WeakMap<PromptTexts, number>()

/** Tokens of the text in every answer's prompt. */
function fixedText(texts: PromptTexts): number {
  const known = FIXED.get(texts)
  if (known !== undefined) return known
  const all = [texts.identity, texts.rules, texts.roles.synthesize, texts.lastRules]
  const tokens = all.reduce((sum, text) => sum + estimateTokens(text), 0)
  FIXED.set(texts, tokens)
  return tokens
}

/**
 * Sizes of the system document for a principal who may act, the owner's files at their budget, and the cards of the
 * template's tools.
 */
function partsOf(
  powers: Actions & Templates & Documents & DirectiveFiles,
  { template: id, principal }: Task,
): number {
  const template = powers.templates.find((one) => one.id === id)
  if (template === undefined) return 0
  const audience = AUDIENCES[template.principalClass]
  const request = { role: 'synthesize', audience, needs: ['act'], variables: {}, principal } as const
  const document = powers.documents[0]?.get(request).tokens ?? 0
  const own = powers.directives !== undefined && audience === 'owner' ? ALWAYS_BUDGET / BYTES_PER_TOKEN : 0
  return document + own + cardsOf(powers, template) / BYTES_PER_TOKEN
}

/** Share of the smallest window up to which a history is too small for notes. */
const LEAST_SHARE = 1 / 16

const CARDS = new WeakMap<Template, number>()

/** UTF-16 units of the tool cards of a template. Cached: templates and tools do not change while a place runs. */
function cardsOf({ registry }: Actions, template: Template): number {
  const known = CARDS.get(template)
  if (known !== undefined) return known
  const cards = template.tools.flatMap((tool) => {
    const action = lookUpAction(registry, tool)
    return action.ok ? [`${tool} ${action.value.description} ${JSON.stringify(action.value.args)}`] : []
  })
  const { length } = cards.join('\n')
  CARDS.set(template, length)
  return length
}
