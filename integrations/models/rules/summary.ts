/**
 * A plain list in place of a summary: speaker and shortened text, always including the newest (O-34). Must not judge what matters,
 * and cannot fail. Called by model.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { line } from './text.ts'

/** Longest and shortest useful line, in characters. */
const LONGEST = 200
const SHORTEST = 40

export function summaryFor({ contents, output }: PromptParts): string {
  const content = contents[0]?.content
  const said = Array.isArray(content) ? content.map(String).filter((text) => text.trim() !== '') : []
  const [first = '', ...rest] = said
  // An earlier summary covers the oldest part in few words: it may take half of the room.
  const noted = first.startsWith('summary: ') ? [line(first, Math.floor(output.maxChars / 2))] : []
  const lines = noted.length > 0 ? rest : said
  const room = output.maxChars - (noted[0]?.length ?? 0)
  const each = Math.min(LONGEST, Math.max(SHORTEST, Math.floor(room / Math.max(1, lines.length)) - 1))
  const shown = Math.floor(room / (each + 1))
  const kept = shown > 0 ? lines.slice(-shown).map((text) => line(text, each)) : []
  return [...noted, ...kept].join('\n')
}
