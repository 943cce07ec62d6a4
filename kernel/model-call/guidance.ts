/**
 * Guidance in a prompt: the product's system document, the owner's directive files, the intended style, the blocks and the
 * boundary of one call. All of it is labelled for the eventual reader; none of it decides anything (P-31). Called by
 * model-call.ts and by the memory's recollection.
 */
import type { DirectiveText } from '../directives/text.ts'
import { directivesFor } from '../features/directives/directives.ts'
import { planModeBlock } from '../features/plan-mode/plan-mode.ts'
import type { Json } from '../flow/json.ts'
import type { Label } from '../flow/label.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { kernelWords, receive, selfFacts } from '../flow/provenance.ts'
import type { ModelCall } from '../inference/router.ts'
import { lookUpAction } from '../powers/effects.ts'
import type {
  Actions,
  AtPlace,
  CallBounds,
  Clock,
  DirectiveFiles,
  Documents,
  HomeLine,
  Ids,
  Redaction,
  SecretScan,
  Strictness,
  Templates,
  Texts,
  TokenKey,
} from '../powers/ports.ts'
import type { SealedReading } from '../powers/sealed.ts'
import type { BlockReader, BlockSource } from '../powers/tier-port.ts'
import type { Purpose } from '../prompt/mode.ts'
import { callBoundary, lineBoundary } from '../prompt/outside.ts'
import type { LabeledBlock, PromptRequest } from '../prompt/parts.ts'
import { classifySignal } from '../prompt/signal/classify.ts'
import { overlayOf, UNSTEERED, withSteering } from '../prompt/signal/signal.ts'
import type { Audience } from '../self/section.ts'
import { REPLY } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'

/** Purpose of the prompt, and what may be in it. */
interface Reader {
  readonly purpose: Purpose
  readonly may: (label: Label) => boolean
}

interface Documented extends Reader {
  readonly template: Template
  readonly audience: Audience
  /**
   * First message of a conversation: a greeting gets the short document; later messages keep that of the previous
   * prompt.
   */
  readonly opening: boolean
}

/** The system document, for what this task can do (P-01, P-13). */
export function documentFor(
  powers: Actions & Documents,
  task: Task,
  { template, purpose, audience, opening, may }: Documented,
): PromptRequest['document'] {
  const acts = !(task.path === 'fast' && opening) && template.tools.some((id) => isWrite(powers, id))
  const request = { role: purpose, audience, needs: acts ? (['act'] as const) : [], variables: {} }
  return powers.documents
    .map((documents) => documents.get({ ...request, principal: task.principal }))
    .map(({ text, personal }) => receive(text, personal ? selfFacts('document', 'sensitive') : kernelWords()))
    .filter(({ label }) => may(label))
}

/**
 * A planner gets the owner's rules and preferences, and the list of files; a model that answers the owner, or writes for them,
 * gets the text of all (O-01, O-02, O-04).
 */
export async function directivesIn(
  powers: SealedReading & Actions & Templates & DirectiveFiles,
  task: Task,
  { purpose, may }: Reader,
): Promise<PromptRequest['directives']> {
  if (purpose === 'classify' || purpose === 'extract' || purpose === 'choose') return []
  const found = await directivesFor(powers, task)
  if (found === null) return []
  const { always, attached, index } = found
  const list = index === null ? [] : [{ place: 'session', value: derive(index, asText) } as const]
  const fitting = (all: PromptRequest['directives']): PromptRequest['directives'] =>
    all.filter(({ value }) => may(value.label))
  const core = always.map((value) => ({ place: isRules(value) ? 'last' : 'stable', value }) as const)
  if (purpose === 'plan') return fitting([...core.filter(({ value }) => plansBy(value)), ...list])
  return fitting([...core, ...list, ...attached.map((value) => ({ place: 'dynamic', value }) as const)])
}

function asText(lines: readonly string[]): DirectiveText {
  return { name: 'Files', text: lines.join('\n') }
}

/** Whether the file is needed for planning: it says how things are done, or what the owner prefers. */
function plansBy(value: Labeled<DirectiveText>): boolean {
  return test(value, ({ name }) => name === 'AGENTS' || name === 'USER')
}

/** The owner's hard rules come last in the prompt. */
function isRules(value: Labeled<DirectiveText>): boolean {
  return test(value, ({ name }) => name === 'AGENTS')
}

/** A reply delivers an answer and does not count as a write. */
function isWrite({ registry }: Actions, id: string): boolean {
  const action = lookUpAction(registry, id)
  return action.ok && action.value.semantics === 'write' && id !== REPLY
}

/**
 * The requested style: from the owner's own words only, affecting only the tone of answers to the owner, and left out
 * where this chat is not cleared for the message that set it (P-30).
 */
function signalOf(
  { texts }: Texts,
  { manner }: Pick<Task, 'manner'>,
  { request, may }: Pick<BlockReader, 'request' | 'may'>,
): Labeled<string> {
  const isKnown = manner !== undefined && may(manner.said.label)
  const { mode, verbosity } = isKnown ? manner : UNSTEERED
  const wish = receive({ mode, verbosity }, isKnown ? manner.said : kernelWords())
  return combine<Json, string>([request, wish], ([words]) => {
    const signal = withSteering(classifySignal(String(words)), { mode, verbosity })
    return overlayOf(signal, texts.overlay)
  })
}

export async function callBlocks(
  powers: AtPlace & Texts & HomeLine,
  task: Task,
  reader: BlockReader,
): Promise<readonly LabeledBlock[]> {
  const planMode = planModeBlock(powers, task, reader)
  if (!speaksToOwner(reader)) return planMode.filter(({ value }) => reader.may(value.label))
  const signal = { name: 'signal_overlay', value: signalOf(powers, task, reader) } as const
  // Small talk gets a short prompt.
  const blocks: readonly LabeledBlock[] =
    task.path === 'fast' ? [signal] : [signal, { name: 'environment', value: await environmentOf(powers) }]
  return blocks.filter(({ value }) => reader.may(value.label))
}

/** Only text to the owner gets blocks: any other text would bear the label of their content. */
export function speaksToOwner({ purpose, audience }: Pick<BlockReader, 'purpose' | 'audience'>): boolean {
  return purpose === 'synthesize' && audience === 'owner'
}

/** `finalize` fills in `{reader}`, since only it knows the model. Must not contain a folder, path or version. */
async function environmentOf({
  place,
  home,
  texts: { overlay },
}: AtPlace & Texts & HomeLine): Promise<Labeled<string>> {
  const state = (await home?.up()) === true ? overlay.home_up : overlay.home_away
  const words = place === 'home' ? overlay.at_home : overlay.at_edge.replace('{home}', state)
  return receive(words, selfFacts('environment', 'internal'))
}

/** Ports that every prompt passes on its way to a model. */
export type BoundaryPorts = Clock &
  Ids &
  Texts &
  Strictness &
  CallBounds &
  TokenKey &
  Redaction &
  SecretScan &
  BlockSource

/** Identical for every call of a place. */
export function boundaryOf({
  texts,
  redact,
  known,
  strict,
  newId,
  tokenKey,
  tier,
  patience,
  now,
}: BoundaryPorts): Pick<
  ModelCall,
  'texts' | 'redact' | 'known' | 'strict' | 'boundary' | 'boundaryFor' | 'fit' | 'patience' | 'now'
> {
  return {
    ...{ patience, now },
    ...{ texts, redact, known, strict, boundary: callBoundary(tokenKey, newId()), fit: tier.fit },
    boundaryFor: (line) => lineBoundary(tokenKey, line),
  }
}
