/**
 * Decides between packages that use the same words for a shown row: the one whose results were shown last.
 * Pure. Called by planner.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import type { Phrase } from '../../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { ageOf, everyShown, shownRow } from './shown.ts'

/**
 * "Reply to the second one": of what several packages mean by the same words, what was shown last. Null where
 * none of it was shown.
 */
export function shownLast(
  { request, metadata }: PromptParts,
  isOffered: (phrase: Phrase) => boolean,
): ReturnType<typeof wholeSentence> {
  const tried = new Set<Phrase>()
  let last: { readonly at: number; readonly found: ReturnType<typeof wholeSentence> } | null = null
  for (;;) {
    const found = wholeSentence(
      TOOL_PHRASES,
      request,
      (phrase) => phrase.shown !== undefined && !tried.has(phrase) && isOffered(phrase),
    )
    if (found?.phrase.shown === undefined) return last?.found ?? null
    tried.add(found.phrase)
    const { shown, every } = found.phrase
    const [row = null] =
      every === undefined
        ? [shownRow(shown, found.taken['thing'] ?? '', { metadata })]
        : (everyShown(shown, { metadata }, every === 'last') ?? [])
    const at = row === null ? Number.POSITIVE_INFINITY : ageOf(row)
    if (at < (last?.at ?? Number.POSITIVE_INFINITY)) last = { at, found }
  }
}
