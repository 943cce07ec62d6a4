/**
 * Prepares outside text for a prompt: sanitized where its taint, never its content, requires it (N-19, N-22, N-23),
 * fenced by an unguessable boundary with a mark before every few words (N-21), and without secrets; a secret that
 * remains refuses the call (D-05). Changes only what a text-reading model sees. Pure; called by finalize.ts.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, mapStrings } from '../flow/json.ts'
import type { Taint } from '../flow/taint.ts'
import { err, type Refusal } from '../flow/verdict.ts'
import type { KnownSecrets } from '../wording/guard/needles.ts'
import { scrubTokens, tokenNames } from '../wording/guard/secrets.ts'
import type { Span } from '../wording/guard/spans.ts'
import type { PromptParts, PromptRequest } from './parts.ts'
import { MAX_RESULT, type Sanitized, sanitize } from './sanitize.ts'

interface Shown {
  /**
   * Its history is already text: the person's own lines as JSON, every other line in a data block with its permanent boundary.
   */
  readonly parts: PromptParts
  /** Number of replaced stretches, for the trace, which never contains their text. */
  readonly removed: number
}

/**
 * Prefix of an assistant's line in the history, from this chat or another chat of the person's. Such a line may quote anybody.
 */
const ANSWERED = /^assistant(?: \([^)\n]{1,40}\))?: /
/** Name of the data block of such a line. */
const EARLIER = 'earlier'

/** The boundary of this call, and the boundaries of the conversation's lines. */
interface Boundaries {
  readonly boundary: string
  readonly boundaryFor: (line: string) => string
}
/** The same prefix as shown: as JSON, or inside its block after a mark. */
const SHOWN_ANSWER = /^(?:\[data [^\n]*\]\n\S{1,8} )?"assistant(?: \([^)\n]{1,40}\))?: /

/** Whether a history line is the assistant's, before or after it was prepared. */
export function isAnswer(line: string): boolean {
  return ANSWERED.test(line) || SHOWN_ANSWER.test(line)
}

/** Purposes of a step of a plan: its question, instruction and options are the plan's. */
const STEPS: ReadonlySet<PromptRequest['purpose']> = new Set(['compose', 'classify', 'extract', 'choose'])

export function withoutDirectives(
  parts: PromptParts,
  request: PromptRequest,
  { boundary, boundaryFor }: Boundaries,
): Shown {
  let removed = 0
  const clean = (text: string, within = boundary): string => {
    const seen = seenOf(text, within)
    for (const count of Object.values(seen.removed)) removed += count
    return seen.text
  }
  const allOwn = isClean(request.history?.taint)
  const own = isClean(request.request.taint)
  const isSummary = (index: number): boolean => parts.summarised === true && index === 0
  const line = (text: string, index: number): string => {
    const isOwn = allOwn || (own && !isSummary(index) && !ANSWERED.test(text))
    if (isOwn) return canonicalJson(text)
    const mark = boundaryFor(text)
    // Who speaks is the kernel's word, not the text's.
    const speaker = SPEAKER.exec(text)?.[0] ?? ''
    const body = `${speaker}${clean(text.slice(speaker.length), mark)}`
    return dataBlock({ boundary: mark, name: EARLIER, body: canonicalJson(body) })
  }
  const byTaint = (taint: Taint | undefined, text: string): string =>
    taint === undefined || isClean(taint) ? text : clean(text)
  // The question of a step was written by the planner, which reads no text by others; it is meant as an order to this model.
  const isStep = STEPS.has(request.purpose)
  const asked = (taint: Taint | undefined, text: string): string => (isStep ? text : byTaint(taint, text))
  const shown: PromptParts = {
    ...parts,
    request: asked(request.request.taint, parts.request),
    history: parts.history.map(line),
    blocks: parts.blocks.map((block) =>
      block.outside === true ? { ...block, text: clean(block.text) } : block,
    ),
    contents: parts.contents.map((part, index) => {
      const { content, planned } = request.contents[index] ?? {}
      if (planned === true) return part
      return { ...part, content: mapStrings(part.content, (text) => byTaint(content?.taint, text)) }
    }),
    instruction: parts.instruction === null ? null : asked(request.question?.taint, parts.instruction),
    options: parts.options.map((text) => asked(request.question?.taint, text)),
  }
  return { parts: shown, removed }
}

/**
 * Bounds of the cache of sanitized texts: entries, and UTF-16 units of one. A conversation's lines recur with every message.
 */
const KEPT = Object.freeze({ most: 256, length: 4_000 })
const kept = new Map<string, Sanitized>()

/** A text that does not contain the boundary sanitizes equally under any boundary. */
function seenOf(text: string, boundary: string): Sanitized {
  const fresh = (of: string): Sanitized => sanitize(text, { boundary: of, maxChars: MAX_RESULT })
  if (text.length > KEPT.length || text.toLowerCase().includes(boundary.toLowerCase())) return fresh(boundary)
  const known = kept.get(text) ?? fresh('')
  const [oldest] = kept.keys()
  if (!kept.has(text) && kept.size >= KEPT.most && oldest !== undefined) kept.delete(oldest)
  kept.set(text, known)
  return known
}

function isClean(taint: Taint | undefined): boolean {
  return taint === undefined || taint.level === 'clean'
}

/** How the kernel begins each line of a conversation. */
const SPEAKER = /^(?:summary|assistant|person)(?: \([^)\n]{1,40}\))?: /

/**
 * Words between two marks in running text: at a sentence end after `fewest`; before a lower-case word after `many`, so that no
 * name is split; after `most` anywhere, so that no text stays unmarked for long.
 */
const MARK_AFTER = Object.freeze({ fewest: 8, many: 20, most: 40 })
/** Characters of the boundary in a mark: enough to be distinct from any text, few enough to be cheap. */
const MARK_LENGTH = 4

interface DataBlock {
  /** Unguessable, new for each call: letters and digits. */
  readonly boundary: string
  /** What the data is, in the kernel's words. */
  readonly name: string
  readonly body: string
}

/** The mark before a line or a stretch of outside text: `a3f1> `. The prompt's rules explain it to the model. */
export function dataMark(boundary: string): string {
  return `${boundary.slice(0, MARK_LENGTH)}>`
}

/**
 * `[data <boundary> <name>] … [/data <boundary>]`. Throws when the body contains the boundary, since it was not sanitized and
 * could end its block.
 */
export function dataBlock({ boundary, name, body }: DataBlock): string {
  if (boundary.length <= MARK_LENGTH) throw new TypeError('a boundary this short can be guessed')
  if (body.toLowerCase().includes(boundary.toLowerCase()))
    throw new TypeError('a data block may not hold its own boundary')
  return `[data ${boundary} ${name}]\n${marked(body, dataMark(boundary))}\n[/data ${boundary}]`
}

/** Puts marks only between words, so that no number, name or address is split. Line breaks may be escaped, as in JSON. */
function marked(body: string, mark: string): string {
  let words = 0
  const inside = body.replace(/\\n|\n| +(?=\S)/g, (gap, at: number) => {
    words += 1
    if (gap.startsWith(' ') && !isMarkedAt(body, { start: at, end: at + gap.length }, words)) return gap
    words = 0
    return `${gap}${mark} `
  })
  return `${mark} ${inside}`
}

function isMarkedAt(body: string, { start, end }: Span, words: number): boolean {
  if (words < MARK_AFTER.fewest) return false
  if (words >= MARK_AFTER.most || SENTENCE_END.test(body.slice(Math.max(0, start - LOOK_BACK), start)))
    return true
  return words >= MARK_AFTER.many && LOWER_CASE.test(body.slice(end, end + 2))
}

/** End of a sentence, but not "Dr." or "No.", which precede a name or a number. */
const SENTENCE_END = /(?:[!?]|[\p{L}\p{N}]{5,}\.)["')\]]{0,2}$/u
const LOOK_BACK = 12
const LOWER_CASE = /^\p{Ll}/u

export interface PromptSecrets {
  /** `Powers.redact`: removes known values and reports each find. */
  readonly redact: (text: string) => string
  readonly known: Pick<KnownSecrets, 'names'>
}

/**
 * Removes secrets from tool results, the conversation and notes of it. Otherwise one of them would
 * refuse every later call as well, which the author of a mail could cause on purpose. The owner's
 * current words, the owner's files and the program's texts stay as they are, for `leakIn` to refuse.
 * `found`: texts already searched without a find in this call of a model, which are not searched again.
 */
export function withoutRecalled(
  parts: PromptParts,
  { redact }: PromptSecrets,
  found: Set<string> = new Set(),
): PromptParts {
  const clean = (text: string): string => {
    if (found.has(text)) return text
    const cleaned = scrubTokens(redact(text))
    if (cleaned === text) found.add(text)
    return cleaned
  }
  const { self, blocks, history, metadata, contents } = parts
  return {
    ...parts,
    self: { ...self, sections: self.sections.map((section) => mapStrings(section, clean)) },
    blocks: blocks.map((each) => ({ ...each, text: clean(each.text) })),
    history: history.map(clean),
    metadata: metadata.map((part) => ({ ...part, fields: mapStrings(part.fields, redact) })),
    contents: contents.map((part) => ({ ...part, content: mapStrings(part.content, clean) })),
  }
}

/** Refusal if a secret remains: secret_in_prompt; null if there is none. `texts`: everything that would leave. */
export function leakIn(
  parts: PromptParts,
  {
    texts,
    model,
    known,
  }: Pick<PromptSecrets, 'known'> & { readonly texts: readonly string[]; readonly model: string },
): Refusal | null {
  const secretIn = (text: string): string | undefined => known.names(text)[0] ?? tokenNames(text)[0]
  const secret = secretIn(texts.join('\n'))
  if (secret === undefined) return null
  const part = ownParts(parts).find(([, text]) => secretIn(text) !== undefined)?.[0] ?? 'elsewhere'
  return err('secret_in_prompt', { model, secret, part }).reason
}

/** The caller's own texts, for a model that reads typed parts only. The other parts were already cleaned. */
export function ownTexts(parts: PromptParts): readonly string[] {
  return ownParts(parts).map(([, text]) => text)
}

/** The caller's own texts, with names that an audit row may contain. */
function ownParts(parts: PromptParts): readonly (readonly [name: string, text: string])[] {
  const { request, instruction, options, document, directives } = parts
  return [
    ['request', request],
    ['instruction', [instruction ?? '', ...options].join('\n')],
    ...directives.map(({ name, text }) => [name, text] as const),
    ['document', document],
  ]
}

/**
 * Hexadecimal digits of a line's boundary and of a call's. An attacker has one guess per text and no feedback; a call's
 * boundary protects everything that the call reads. Each digit costs tokens in every block.
 */
const DIGITS = Object.freeze({ line: 8, call: 12 })

/**
 * Maximum number of cached line boundaries. A conversation's lines recur in each of its prompts, and computing a digest costs
 * more than a look-up.
 */
const LINES_AT_BOUNDARY = 512
const known = new WeakMap<Uint8Array, Map<string, string>>()

/** `key`: the place's token key. Nothing that it signs has the same form. */
export function lineBoundary(key: Uint8Array, line: string): string {
  const lines = known.get(key) ?? new Map<string, string>()
  const before = lines.get(line)
  if (before !== undefined) return before
  const made = digest(key, ['history line', line]).slice(0, DIGITS.line)
  if (lines.size >= LINES_AT_BOUNDARY) lines.clear()
  known.set(key, lines.set(line, made))
  return made
}

/** Boundary for the data of one call. `id`: any id made for this call only; it may be guessable. */
export function callBoundary(key: Uint8Array, id: string): string {
  return digest(key, ['data of a call', id]).slice(0, DIGITS.call)
}

function digest(key: Uint8Array, of: readonly string[]): string {
  return bytesToHex(hmac(sha256, key, utf8ToBytes(canonicalJson(of))))
}
