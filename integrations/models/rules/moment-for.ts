/**
 * Answers `extract` of a time without a language model, by the words of the one appointment in a text. Only
 * points at words; the kernel reads the value. Refuses a text with several times. Passed to the rules model
 * by home.
 */
import { WRITTEN } from '../../../kernel/call/point.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { oneMomentIn } from '../../extractors/timed/one-moment.ts'
import { stringsOf } from './answers/content.ts'
import { momentOf } from './several.ts'

/** UTF-16 units of a text that are read. */
const HEAD = 20_000
/** What a model answers where the text does not say it. */
const NONE = 'NONE'

/** "Tomorrow" is the day after that on which the text was written, where that is known. */
export function momentFor(parts: PromptParts): string {
  const { contents } = parts
  const written = contents.find(({ root }) => root === WRITTEN)?.content
  const at = typeof written === 'string' ? Date.parse(written) : Number.NaN
  const moment = momentOf(parts)
  const text = contents
    .flatMap(({ root, content }) => (root === WRITTEN ? [] : stringsOf(content)))
    .join('\n')
  // What lies behind it may say another time.
  if (text.length > HEAD) return NONE
  return oneMomentIn(text, Number.isNaN(at) ? moment : { ...moment, now: at }) ?? NONE
}
