/**
 * Plans a message without what its owner took back while typing: "make it 16:00, no sorry, 16:30" asks for 16:30. Only where both are the same part of the
 * request. Must not read words itself. Passed to the planner by home, which alone has the tagger.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import type { Moment } from '../../../dates/read.ts'
import { likelyAtHome } from '../../../extractors/learned/likely-home.ts'
import { partsIn, type TaggedPart } from '../../../extractors/learned/parts.ts'
import type { PartName } from '../../../extractors/learned/tags.ts'
import { momentOf } from '../several.ts'
import { plannedAs } from './said-as.ts'
import { isTimed } from './sure.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 300

/** Words by which what stands before is taken back for what follows. */
const TAKES_BACK =
  /^[\s,.;:–—-]*(?:(?:no+|nope|nah|nein|ne+|na|sorry|pardon|wait|hang on|scratch that|rather|actually|i mean|i meant|quatsch|halt|stopp|moment|äh+m?|uh+m?|er+m?|doch|besser|ach|oh|tell a lie|i tell a lie|make (?:that|it)|mach|lieber)(?![\p{L}\p{N}])[\s,.;:!–—-]*)+(?:(?:at|in|on|to|the|with|am|im|um|an|auf|zu|mit|der|die|das|den|dem) )*$/iu
/** One of them alone joins two as well: "on Friday, actually at 4". */
const ALONE =
  /^[\s,.;:–—-]*(?:actually|doch|besser|rather|oh|na|er+m?|uh+m?|make (?:that|it)|mach|lieber|halt)[\s,.;:!–—-]*$/iu

/** What is put right alone: of a thing the whole of its name is said again. */
const CORRECTED: ReadonlySet<PartName> = new Set(['when', 'long', 'by', 'early', 'who', 'where'])

/** Null for a message that takes nothing back. */
export function planPutRight(parts: PromptParts, planOf: (parts: PromptParts) => Plan): Plan | null {
  const { request } = parts
  if (request.length > LONGEST || !MAY_TAKE_BACK.test(request)) return null
  const moment = momentOf(parts)
  const label = (likelyAtHome(request, moment)[0]?.label ?? '').replace(/^else:/, '')
  const text = withoutTakenBack(request, partsIn(request, label, moment), moment)
  return text === request ? null : plannedAs(text, parts, planOf)
}

const MAY_TAKE_BACK =
  /(?<!\p{L})(?:no+|nope|nah|nein|ne+|na|sorry|pardon|wait|hang on|scratch|i mean|i meant|quatsch|halt|stopp|moment|tell a lie)(?!\p{L})/iu

const BEFORE_PART =
  /(?<![^\s,;:–-])(?:(?:at|in|on|to|the|with|am|im|um|an|auf|zu|mit|der|die|das|den|dem) )+$/iu

/** The same text where nothing is taken back. */
function withoutTakenBack(text: string, parts: readonly TaggedPart[], moment: Moment): string {
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1]
    if (next === undefined || next.part !== part.part || !CORRECTED.has(part.part)) continue
    const between = text.slice(part.to, next.from)
    const isTime = part.part !== 'when' || isTimed([part], moment)
    if (isTime && TAKES_BACK.test(between) && !ALONE.test(between)) {
      const [own = ''] = BEFORE_PART.exec(between) ?? []
      const before = text.slice(0, part.from)
      return (own === '' ? before : before.replace(BEFORE_PART, '')) + own + text.slice(next.from)
    }
  }
  return text
}
