/**
 * The `rules` model: a provider without network or weights, last in every chain (DESIGN §8). It reads a prompt's typed parts, never
 * its text, so that no text can steer it. Must not claim what no result shows. Built at both places; called through the model port.
 */
import { onlyWithAll } from '../../../kernel/call/values/meant.ts'
import { PLACE_CLEARANCE, type Place } from '../../../kernel/flow/place.ts'
import { err, ok } from '../../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../../kernel/inference/provider.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { tell } from '../../../kernel/wording/words.ts'
import { answerFor, composeFor } from './answers/answer.ts'
import { stringsOf } from './answers/content.ts'
import { nameOf } from './answers/self.ts'
import { line } from './answers/text.ts'
import type { HomeRules } from './home-rules.ts'
import { planFor } from './plan-for.ts'

/** It runs in the place itself, so it has that place's clearance. Refusal: model_failed. */
export function createRulesModel({
  place,
  home = null,
}: {
  readonly place: Place
  readonly home?: HomeRules | null
}): ModelProvider {
  return {
    reader: { id: 'rules', locality: place, ...PLACE_CLEARANCE[place] },
    reads: 'parts',
    complete: async (prompt) => {
      try {
        return ok({ text: write(prompt.parts, home), cut: false, tokens: { input: 0, output: 0 } })
      } catch {
        return err('model_failed', { model: 'rules' })
      }
    },
  }
}

function write(parts: PromptParts, home: HomeRules | null): string {
  switch (parts.purpose) {
    case 'plan':
      return JSON.stringify(planFor(parts, home))
    case 'classify':
      return classifyFor(parts)
    case 'extract':
      return extractFor(parts)
    case 'choose':
      return chooseFor(parts)
    case 'compose':
      return composeFor(parts)
    case 'synthesize':
      if (home === null) return answerFor(parts) + pointsHome(parts)
      // What was looked up is told by the words that it was looked up by.
      return answerFor({ ...parts, request: home.spell(parts.request) }, home.ofEvents)
    // An empty note leaves the passage unchanged; the rules model reads no picture.
    case 'read':
    case 'look':
      return ''
    case 'compact':
      return summaryFor(parts)
    case 'whoami':
      return nameOf(parts)
  }
}

/** Says to the owner, beside what this place may not do, where it is asked for. */
function pointsHome({ instruction, audience }: PromptParts): string {
  return instruction === 'not_available' && audience === 'owner' ? `\n${tell('commands.help_edge')}` : ''
}

/** How much content is compared, in characters. */
const HEAD = 20_000

export function classifyFor(parts: PromptParts): string {
  const words = wordsOf(
    parts.contents
      .flatMap(({ content }) => stringsOf(content))
      .join(' ')
      .slice(0, HEAD),
  )
  const scored = parts.options
    .map((option) => ({ option, score: [...wordsOf(option)].filter((word) => words.has(word)).length }))
    .sort((a, b) => b.score - a.score)
  const [best, next] = scored
  if (best === undefined || best.score === 0 || best.score === next?.score) return ''
  return best.option
}

/** What a model answers where the text does not say it. */
const NONE = 'NONE'

/** The only number or address of the text; with several, or for any other kind, nothing. Times of mails are read before (`appointments`). */
export function extractFor(parts: PromptParts): string {
  const { contents, options } = parts
  const [kind] = options
  if (kind === 'date' || kind === 'end') return NONE
  const text = contents
    .flatMap(({ content }) => stringsOf(content))
    .join(' ')
    .slice(0, HEAD)
  const found =
    kind === 'number'
      ? (text.match(/(?<![\p{L}\p{N}.,])\p{N}[\p{N}.,]*(?![\p{L}\p{N}])/gu) ?? [])
      : kind === 'email'
        ? (text.match(/[^\s<>(),;:"]+@[^\s<>(),;:"]+\.[^\s<>(),;:".]+/gu) ?? [])
        : []
  const [only, ...more] = new Set(found)
  return only !== undefined && more.length === 0 ? only : ''
}

/** The only item that has all words of the question that can tell one from another; a question is no search, so mostly none. */
export function chooseFor({ contents, instruction }: PromptParts): string {
  const items = contents.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  const rows = items.map((item) => stringsOf(item).join(' ').slice(0, HEAD))
  const meant = onlyWithAll(rows, instruction ?? '')
  return meant === null ? '' : String(meant + 1)
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1),
  )
}

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
