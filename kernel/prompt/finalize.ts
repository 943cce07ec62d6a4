/**
 * `finalize`: the only maker of a `FinalPrompt` (invariant 5, N-06). Opens every part for one named model,
 * lays the text out in the order of DESIGN §4, and refuses parts that this model is not cleared for. Unwrap
 * site 1. Must not choose a model or call one. Called by kernel/inference/router.ts.
 */
import type { Json } from '../flow/json.ts'
import { joinProvenance, type Labeled, openForPrompt, type Provenance } from '../flow/labeled.ts'
import { once } from '../flow/once.ts'
import type { ModelReader } from '../flow/policy.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { SelfSection } from '../self/section.ts'
import { nameIn } from '../self/snapshot.ts'
import type { Picture } from '../task/picture.ts'
import { type Calibration, CUT_TO, estimateTokens, type FitInto, fillOf } from './budget.ts'
import { hardIdentity, withIdentity } from './identity.ts'
import { type Layout, layOut } from './layout.ts'
import { leakIn, ownTexts, type PromptSecrets, withoutDirectives, withoutRecalled } from './outside.ts'
import type {
  ContentView,
  MetadataView,
  PromptParts,
  PromptRequest,
  PromptTexts,
  SoughtView,
} from './parts.ts'
import { describedTools } from './sought-tools.ts'
import { trims } from './trim.ts'

const NO_QUESTION = ok({ instruction: null, options: [] })

const MAKER: unique symbol = Symbol('finalize')

/**
 * Maximum length of a prompt, UTF-16 units. A longer one is refused; it is never cut where a rule stands
 * (N-15).
 */
export const MAX_PROMPT = 600_000

/** Lays out the text of some parts of this prompt, with its own identity and boundary. */
export type Lay = (parts: PromptParts) => Layout
/** Runs a measurement over the parts as the model reads them: trimmed and sanitized. */
type Weigh = <T>(measure: (parts: PromptParts, lay: Lay, window: number) => T) => T

interface FinalContent {
  /** The text, for a model that reads text. Laid out on first use. */
  readonly text: () => Layout
  readonly parts: PromptParts
  readonly provenance: Provenance
  readonly model: string
  readonly repaired: boolean
  readonly removed: number
  readonly weigh: Weigh
  readonly options: readonly string[]
}

/** Opaque outside this file: the constructor requires a symbol that never leaves it. */
export class FinalPrompt {
  readonly #text: () => Layout
  readonly parts: PromptParts
  /** Label and taint of everything inside; the answer will carry them. */
  readonly provenance: Provenance
  /** The model it was opened for. The router passes it to no other. */
  readonly model: string
  /** True if the identity was missing or damaged and the built-in one was used (N-27). */
  readonly repaired: boolean
  /**
   * Number of stretches of outside text that addressed the assistant and were replaced in what the model
   * reads (N-22).
   */
  readonly removed: number
  /** The closed options of a choice as the text shows them; empty if the text is not laid out or there are none. */
  readonly options: readonly string[]
  readonly #weigh: Weigh

  constructor(maker: typeof MAKER, content: FinalContent) {
    if (maker !== MAKER) throw new TypeError('only finalize makes a prompt')
    this.#text = content.text
    this.parts = content.parts
    this.provenance = content.provenance
    this.model = content.model
    this.repaired = content.repaired
    this.removed = content.removed
    this.options = content.options
    this.#weigh = content.weigh
    Object.freeze(this)
  }

  /** Hard identity, rules, self-description, role: the part that a provider may cache (P-21). */
  get stable(): string {
    return this.#text().stable
  }

  /** Tools, answer format, the short rules: after the cache break, but equal from call to call. */
  get session(): string {
    return this.#text().session
  }

  /** Both as one text, for a provider that caches nothing, or that caches any prefix (P-22, P-26). */
  get system(): string {
    return `${this.stable}\n\n${this.session}`
  }

  /** The conversation in pieces. A later call begins with the same pieces. */
  get history(): readonly string[] {
    return this.#text().history
  }

  /** The part for this call only. The request comes last. */
  get now(): string {
    return this.#text().now
  }

  /** History and current part as one text. */
  get user(): string {
    return `${this.history.join('')}${this.now}`
  }

  /** Sent beside the text; null for a text-only prompt. */
  get picture(): Picture | null {
    return this.parts.picture ?? null
  }

  /** Measures how many tokens the parts take (P-18). */
  weigh<T>(measure: (parts: PromptParts, lay: Lay, window: number) => T): T {
    return this.#weigh(measure)
  }

  toJSON(): never {
    throw new TypeError('a prompt is never serialised')
  }
}

/** Properties of the model that will read the prompt. */
export interface PromptLimits {
  /** `parts`: it reads the typed parts and never the text, so no text is laid out. */
  readonly reads: 'text' | 'parts'
  /** Tokens of prompt and answer together (N-17). */
  readonly window: number
  /** Maximum tokens of the answer. */
  readonly answer: number
  /** Correction learned from the model's own token counts. */
  readonly calibration?: Calibration
}

export interface FinalizeInput extends PromptSecrets {
  readonly request: PromptRequest
  readonly texts: PromptTexts
  readonly model: ModelReader
  /** Unguessable, new for each call, so that outside text cannot close its block. */
  readonly boundary: string
  /**
   * Boundary of a conversation line: equal in every call, unguessable for the line's author, different for
   * every line.
   */
  readonly boundaryFor: (line: string) => string
  readonly limits: PromptLimits
  /** Fits the blocks into the window (P-16, P-17); absent at a place that makes no blocks which may be cut. */
  readonly fit?: FitInto | undefined
  /**
   * True: throws on a prompt that lost its identity, so that the developer sees it. False: repairs it.
   */
  readonly strict: boolean
}

/** Label and taint of every part before trimming and opening. Routing uses it (D-06). */
export function promptProvenance(request: PromptRequest): Provenance {
  return joinProvenance(...labeledParts(request))
}

/**
 * Refusals: model_not_cleared, compartment_missing, secret_has_no_reader, secret_in_prompt, prompt_too_large.
 * No prompt may contain a secret, whoever wrote it there (D-05, E-18): see outside.ts.
 */
export function finalize(input: FinalizeInput): Result<FinalPrompt> {
  const { request, texts, model, redact, strict, limits } = input
  const opened = openParts(request, model, texts)
  if (!opened.ok) return opened
  const withoutSecret = new Set<string>()
  const parts = withoutRecalled(opened.value, input, withoutSecret)
  const { block, repaired } = hardIdentity(texts.identity, nameIn(parts.self.sections))
  if (repaired && strict) throw lostIdentity(request.purpose, model.id, redact(texts.identity))
  // Routing and the answer's label use the untrimmed parts, so that trimming never lowers them.
  const made = { parts, provenance: promptProvenance(request), model: model.id, repaired }
  const lay = (shown: PromptParts): Layout => layOutWith(input, shown, block)
  const leaks = (texts: readonly string[]) => leakIn(parts, { texts, model: model.id, known: input.known })
  if (limits.reads === 'parts') {
    const leak = leaks(ownTexts(parts))
    if (leak !== null) return { ok: false, reason: leak }
    const text = once(() => lay(withoutDirectives(parts, request, input).parts))
    const weigh: Weigh = (measure) => measure(parts, lay, limits.window)
    return ok(new FinalPrompt(MAKER, { ...made, text, weigh, removed: 0, options: [] }))
  }
  const read = withoutDirectives(parts, request, input)
  // Checked again, because decoding may have revealed a secret.
  const shown = { ...read, parts: withoutRecalled(read.parts, input, withoutSecret) }
  let most = limits.window
  const fitted = fittedIn(input, shown.parts, lay)
  for (const smaller of trims(fitted)) {
    const layout = lay(smaller)
    const isWhole = smaller === fitted
    if (isWhole && isToCut(layout, limits)) most = cutTo(lay({ ...smaller, history: [] }), limits)
    if (fits(layout, limits, smaller.history.length > 0 ? most : limits.window)) {
      const leak = leaks(textsOf(layout))
      if (leak !== null) return { ok: false, reason: leak }
      const weigh: Weigh = (measure) => measure(smaller, lay, limits.window)
      const { options } = smaller
      return ok(
        new FinalPrompt(MAKER, { ...made, text: () => layout, weigh, removed: shown.removed, options }),
      )
    }
  }
  return err('prompt_too_large', { model: model.id })
}

/** Puts the identity first, whatever the layout returns. Its position is checked on the final text (N-10). */
function layOutWith({ texts, boundary }: FinalizeInput, parts: PromptParts, identity: string): Layout {
  const layout = layOut(parts, texts, { boundary, identity })
  return { ...layout, stable: withIdentity(layout.stable, identity).prompt }
}

/** Fits the blocks before anything is trimmed: history is trimmed until the blocks have their minimum. */
function fittedIn({ fit: fitInto, limits }: FinalizeInput, parts: PromptParts, lay: Lay): PromptParts {
  if (fitInto === undefined || parts.blocks.length === 0) return parts
  const { blocks } = fitInto(parts.blocks, limits.window, () => {
    const { stable, ...rest } = lay({ ...parts, blocks: [] })
    const moving = [rest.session, ...rest.history, rest.now]
    return {
      static: estimateTokens(stable),
      conversation: moving.reduce((sum, text) => sum + estimateTokens(text), 0),
    }
  })
  return { ...parts, blocks }
}

/** Upper bound of the estimated tokens of one UTF-16 unit. */
const MOST_PER_UNIT = 2

/** `most`: maximum tokens of prompt and answer together. */
function fits(layout: Layout, limits: PromptLimits, most: number): boolean {
  if (lengthOf(layout) > MAX_PROMPT) return false
  // Most prompts are so short that the upper bound is enough.
  return mostTokens(layout, limits) <= most || tokensOf(layout, limits) <= most
}

/** Above this share history is cut at once, whether or not a summary replaces it yet (O-34). */
function isToCut(layout: Layout, limits: PromptLimits): boolean {
  const { window } = limits
  return (
    fillOf(mostTokens(layout, limits), window) === 'cut' && fillOf(tokensOf(layout, limits), window) === 'cut'
  )
}

/**
 * Target size of a cut, in tokens. If the prompt without history exceeds it, the whole window is the target:
 * dropping history would not be enough, and results are shortened instead.
 */
function cutTo(bare: Layout, limits: PromptLimits): number {
  const most = Math.floor(limits.window * CUT_TO)
  return fits(bare, limits, most) ? most : limits.window
}

function tokensOf(layout: Layout, { answer, calibration }: PromptLimits): number {
  return textsOf(layout).reduce((sum, text) => sum + estimateTokens(text, calibration), answer)
}

/** Upper bound of the tokens of a text of this length. */
function mostTokens(layout: Layout, { answer, calibration }: PromptLimits): number {
  return Math.ceil(lengthOf(layout) * MOST_PER_UNIT * (calibration?.factor ?? 1)) + answer
}

function lengthOf(layout: Layout): number {
  return textsOf(layout).reduce((sum, text) => sum + text.length, 0)
}

function textsOf({ stable, session, history, now }: Layout): readonly string[] {
  return [stable, session, ...history, now]
}

/** UTF-16 units of a broken prompt that the error shows. */
const ERROR_HEAD = 200

function lostIdentity(purpose: string, model: string, text: string): Error {
  return new Error(
    `prompt without identity: ${purpose} for ${model}: ${text.slice(0, ERROR_HEAD) || '(nothing)'}`,
  )
}

function labeledParts(request: PromptRequest): readonly Labeled[] {
  return [
    request.request,
    ...(request.history === null ? [] : [request.history]),
    ...request.metadata.map((part) => part.fields),
    ...request.contents.map((part) => part.content),
    ...(request.sought ?? []).map((part) => part.asked),
    ...(request.picture === undefined ? [] : [request.picture]),
    ...(request.question === null ? [] : [request.question]),
    ...request.self.sections.map(({ value }) => value),
    ...request.document.slice(0, 1),
    ...request.directives.map(({ value }) => value),
    ...request.blocks.map(({ value }) => value),
  ]
}

function openParts(
  request: PromptRequest,
  model: ModelReader,
  { overlay }: PromptTexts,
): Result<PromptParts> {
  const words = openForPrompt(request.request, model)
  if (!words.ok) return words
  const history = request.history === null ? ok<Json>([]) : openForPrompt(request.history, model)
  if (!history.ok) return history
  const metadata: MetadataView[] = []
  for (const { root, action, fields } of request.metadata) {
    const open = openForPrompt(fields, model)
    if (!open.ok) return open
    metadata.push({ root, action, fields: open.value })
  }
  const contents: ContentView[] = []
  for (const { root, action, content } of request.contents) {
    const open = openForPrompt(content, model)
    if (!open.ok) return open
    contents.push({ root, action, content: open.value })
  }
  const sought: SoughtView[] = []
  for (const { asked, ...step } of request.sought ?? []) {
    const open = openForPrompt(asked, model)
    if (!open.ok) return open
    sought.push({ ...step, asked: open.value })
  }
  const question = request.question === null ? NO_QUESTION : openForPrompt(request.question, model)
  if (!question.ok) return question
  const sections: SelfSection[] = []
  for (const { value } of request.self.sections) {
    const open = openForPrompt(value, model)
    if (!open.ok) return open
    sections.push(open.value as unknown as SelfSection)
  }
  const picture = request.picture === undefined ? null : openForPrompt(request.picture, model)
  if (picture?.ok === false) return picture
  const { purpose, audience, tools, troubles, output } = request
  const self = { version: request.self.version, sections }
  const [own] = request.document
  const document = own === undefined ? ok('') : openForPrompt(own, model)
  if (!document.ok) return document
  const directives: PromptParts['directives'][number][] = []
  for (const { place, value } of request.directives) {
    const open = openForPrompt(value, model)
    if (!open.ok) return open
    directives.push({ place, ...open.value })
  }
  const blocks: PromptParts['blocks'][number][] = []
  for (const { name, value } of request.blocks) {
    const open = openForPrompt(value, model)
    if (!open.ok) return open
    const reader = model.locality === 'cloud' ? overlay.cloud_reader : overlay.own_reader
    const text = name === 'environment' ? open.value.replace('{reader}', reader) : open.value
    blocks.push({ name, text, outside: value.taint.level !== 'clean' })
  }
  const lines = Array.isArray(history.value) ? history.value.map(String) : []
  return ok({
    ...{ document: document.value, directives, blocks },
    ...{ purpose, audience, self, troubles, output, ...question.value },
    ...{ request: words.value, history: lines, metadata, contents, ...(sought.length > 0 && { sought }) },
    tools: describedTools(tools, { request: words.value, metadata }),
    ...(picture !== null && { picture: picture.value }),
    summarised: request.summarised === true,
  })
}
