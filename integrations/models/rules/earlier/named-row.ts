/**
 * Finds the row that words of the request name, such as "the one from Tom" or "die Mail vom Zahnarzt": in the
 * list that was shown last if it has such words, else in a new list. Text of others decides which row it is,
 * so a change of it asks. Pure. Called by phrase-plan.ts and opening.ts.
 */
import { tellingApart } from '../../../../kernel/call/values/meant.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { SelectStep, ToolStep } from '../../../../kernel/task/plan.ts'
import { nounsOf, referenceIn } from '../../../extractors/message/message-reference.ts'
import type { Phrase, Shown } from '../../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { hasSaid, type ShownList, shownList } from './shown.ts'

/** Words for the things that can be shown. */
export const NOUNS = nounsOf(TOOL_PHRASES)

export interface NamedRow {
  /** Steps that must run first. */
  readonly before: readonly (ToolStep | SelectStep)[]
  readonly path: string
}

/** Null for "it" and for a place in a list. */
export function wordsOfRow(thing: string | undefined): string | null {
  const reference = thing === undefined ? null : referenceIn(thing, NOUNS)
  return reference?.by === 'words' ? reference.words : null
}

/**
 * Whether a sentence about what was shown names its row by words, and this phrase does the same with a row
 * that it finds by them, in fewer steps.
 */
export function isSameByWords(
  shown: { readonly phrase: Phrase; readonly taken: Readonly<Record<string, string>> },
  { among, plan }: Phrase,
): boolean {
  const isNamed = shown.phrase.shown !== undefined && wordsOfRow(shown.taken['thing']) !== null
  return isNamed && among !== undefined && plan.at(-1)?.['tool'] === shown.phrase.plan.at(-1)?.['tool']
}

/** The list that was shown, if one of its rows has words of the request; `named`: those that name the row. */
export function listWithSaid(
  { lists, list }: Pick<Shown, 'lists' | 'list'>,
  parts: Pick<PromptParts, 'metadata'>,
  named = '',
): ShownList | null {
  const shown = shownList(lists, list, parts)
  return shown !== null && hasSaid(shown, tellingApart(named).size) ? shown : null
}

/**
 * `steps`: how many come before. Null where nothing was shown that has the words, and nothing can be fetched.
 */
export function namedRow(
  shown: Pick<Shown, 'lists' | 'list' | 'lookUp' | 'where'>,
  words: string,
  { parts, steps }: { readonly parts: Pick<PromptParts, 'metadata'>; readonly steps: number },
): NamedRow | null {
  const last = shown.where === undefined ? listWithSaid(shown, parts, words) : null
  if (last === null && shown.lookUp === undefined) return null
  const fetched: readonly ToolStep[] =
    last !== null || shown.lookUp === undefined
      ? []
      : [{ id: `s${steps + 1}`, do: 'tool', ...shown.lookUp } satisfies ToolStep]
  const where = shown.where === undefined ? {} : { where: shown.where }
  const id = `s${steps + fetched.length + 1}`
  const from = `${last?.root ?? `s${steps + 1}`}.${shown.list}`
  return {
    before: [...fetched, { id, do: 'select', from, matching: words, take: 'first', ...where }],
    path: id,
  }
}
