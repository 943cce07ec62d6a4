/**
 * The texts of the dynamic blocks, parsed from `templates/prompts/overlay.md`, and the line that describes the signal (P-28):
 * mode and genre, length of the answer, and that the answer must not mention it. Called by the places' loaders and where the
 * blocks are made.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import { BRIEF_BELOW, type Signal, THOROUGH_FROM } from './signal.ts'

const KEYS = Object.freeze([
  ...(['reading', 'brief', 'thorough'] as const),
  ...(['at_home', 'at_edge', 'home_up', 'home_away', 'own_reader', 'cloud_reader'] as const),
  ...(['memory', 'later', 'at_home_wait', 'undelivered', 'plan_mode'] as const),
])

export type OverlayTexts = Readonly<Record<(typeof KEYS)[number], string>>

const PREFACE = /^\s*<!--[\s\S]*?-->\s*/
const ROW = /^([a-z_]+): (\S.*)$/

/** Refusal: template_malformed for a key that is unknown, missing, repeated or empty. */
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
  const missing = KEYS.find((key) => !found.has(key))
  if (missing !== undefined) return malformed(missing)
  return ok(Object.fromEntries(found) as OverlayTexts)
}

function malformed(key: string | undefined): Result<never> {
  return err('template_malformed', { file: 'overlay.md', field: key ?? '' })
}

/** One line; equal signals give equal bytes. A medium weight adds no length, so the document's default applies. */
export function overlayOf(signal: Signal, texts: OverlayTexts): string {
  const reading = texts.reading.replace('{mode}', signal.mode).replace('{genre}', signal.genre)
  return `${reading} ${lengthOf(signal, texts)}`.trimEnd()
}

function lengthOf({ weight }: Signal, texts: OverlayTexts): string {
  if (weight < BRIEF_BELOW) return texts.brief
  return weight > THOROUGH_FROM ? texts.thorough : ''
}
