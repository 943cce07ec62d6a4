/**
 * Decides between two packages whose words both match a request: the second one, unless the owner has set up
 * nothing there. Pure. Called by planner.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import type { Phrase } from '../../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'

/** "Tell her also that …": one more thing to the same. */
const BESIDES = /(?<=^\S+ (?:him|her|them|ihm|ihr|ihnen)) (?:also|too|auch|noch)(?=,? )/iu

/**
 * The sentence that fits all words. "What is in my receipts folder" is about files where a folder of files is
 * named, and about mail else.
 */
export function wholeOf(
  { request: typed, tools }: PromptParts,
  isOffered: (phrase: Phrase) => boolean,
): ReturnType<typeof wholeSentence> {
  const request = typed.replace(BESIDES, '')
  const found = wholeSentence(TOOL_PHRASES, request, isOffered)
  const unready = new Set(tools.flatMap(({ id, unconnected, idle }) => (unconnected || idle ? [id] : [])))
  const isReady = ({ plan }: Phrase) => plan.every(({ tool }) => !unready.has(String(tool)))
  if (found === null || isReady(found.phrase)) return found
  const isMeant = (phrase: Phrase) => phrase.yields === true && isOffered(phrase) && isReady(phrase)
  return wholeSentence(TOOL_PHRASES, request, isMeant) ?? found
}
