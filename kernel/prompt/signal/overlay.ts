/**
 * The signal in words, for the model that answers (P-28): mode and genre, how long the answer should be, and that it is
 * not spoken of. The words are those of `templates/prompts/overlay.md`. Called where the dynamic blocks are made.
 */
import { allowed, type Result, refused } from '../../flow/verdict.ts'
import { BRIEF_BELOW, type Signal, THOROUGH_FROM } from './signal.ts'

const KEYS = ['reading', 'brief', 'even', 'thorough', 'plan_mode'] as const

export type OverlayTexts = Readonly<Record<(typeof KEYS)[number], string>>

const PREFACE = /^\s*<!--[\s\S]*?-->\s*/
const ROW = /^([a-z_]+): (\S.*)$/

/** Refusal: template_malformed, for a key that is unknown, missing, twice or empty. */
export function parseOverlay(text: string): Result<OverlayTexts> {
  const found = new Map<string, string>()
  for (const line of text.replace(PREFACE, '').split('\n')) {
    if (line.trim() === '') continue
    const [, key, words] = ROW.exec(line) ?? []
    if (key === undefined || words === undefined || found.has(key)) return malformed(line.split(':')[0])
    found.set(key, words.trim())
  }
  const unknown = [...found.keys()].find((key) => !KEYS.some((known) => known === key))
  if (unknown !== undefined) return malformed(unknown)
  const [reading, brief, even, thorough, plan] = KEYS.map((key) => found.get(key))
  if (!reading || !brief || !even || !thorough || !plan) return malformed(KEYS.find((key) => !found.has(key)))
  return allowed({ reading, brief, even, thorough, plan_mode: plan })
}

function malformed(key: string | undefined): Result<never> {
  return refused('template_malformed', { file: 'overlay.md', field: key ?? '' })
}

/** One line; same signal, same bytes. */
export function overlayOf(signal: Signal, texts: OverlayTexts): string {
  const reading = texts.reading.replace('{mode}', signal.mode).replace('{genre}', signal.genre)
  return `${reading} ${lengthOf(signal, texts)}`
}

function lengthOf({ weight }: Signal, texts: OverlayTexts): string {
  if (weight < BRIEF_BELOW) return texts.brief
  return weight > THOROUGH_FROM ? texts.thorough : texts.even
}
