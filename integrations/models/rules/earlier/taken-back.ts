/**
 * Decides what "undo that" or "oh no, bring it back" undoes if several packages did something, and whether
 * the words refer to a later result. Must not undo anything. Called by planner.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { coreAsTyped } from '../../../extractors/message/message-intent.ts'
import type { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { unnamedRequest } from '../../../extractors/message/message-requests.ts'
import type { Phrase } from '../../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { unnamedPlan } from '../phrase-plan.ts'
import { nothing } from '../steps.ts'
import { changedLast, doneLast } from './done-last.ts'
import { ageOf, shownRow } from './shown.ts'

/**
 * "Undo that": of what several packages take back by the same words, what was done last of all. Where that is
 * nothing that they take back, this is said, and nothing older is meant. Null where no package has such
 * words; the first one's reason where nothing was done.
 */
export function undoing(parts: PromptParts, isOffered: (phrase: Phrase) => boolean): Undoing | null {
  const tried = new Set<Phrase>()
  // "Oh wait no," comes before what is wanted.
  const text = calmed(coreAsTyped(parts.request))
  const newest = UNMAKES.test(text) ? null : changedLast(parts.metadata)
  let last: Undoing | null = null
  for (;;) {
    const found = unnamedRequest(
      TOOL_PHRASES,
      text,
      (phrase) => phrase.back !== undefined && !tried.has(phrase) && isOffered(phrase),
    )
    if (found === null)
      return last === null || newest === null || last.at === newest.at || A_MAIL.test(text)
        ? last
        : { at: Number.POSITIVE_INFINITY, plan: nothing(`${STAYS}${newest.action}`) }
    tried.add(found.phrase)
    const at =
      (found.phrase.back && doneLast(found.phrase.back, parts.metadata)?.at) ?? Number.POSITIVE_INFINITY
    if (last === null || at < last.at) last = { at, plan: unnamedPlan(found.phrase, found.taken, parts) }
  }
}

/** Before the action that was done last and that nothing takes back: why the plan is empty. */
export const STAYS = 'stays:'

/** It is named as a mail, or by where it was: of that kind, and of none that was done since. */
const A_MAIL = /(?<!\p{L})(?:e?-?mails?|inbox|posteingang|papierkorb|unarchive|undelete)(?!\p{L})/iu

/** "Delete it" names what was made, whatever was done since. */
const UNMAKES = /^(?:cancel|delete|remove|lösche?|sage?)(?!\p{L})/iu

/** What is cried out before something is to be taken back. */
const STARTLED =
  /^(?:(?:oh|ah|ach|och|argh|no+|nein|nee|wait|actually|my mistake|my bad|i was wrong|i made a mistake|(?:ich )?habe? mich (?:vertan|geirrt|verklickt|vertippt|verlesen)|mein fehler|hang on|hold on|stop|halt|stopp|warte|moment|oops|whoops|ups|upps|hoppla|damn|shit|mist|verdammt|quatsch|sorry|bitte|please|doch|that was wrong|that was a mistake|das war falsch|das war ein versehen)(?!\p{L})[\s,.!;:–-]*)+(?=\S)/iu

export function calmed(text: string): string {
  return text.replace(STARTLED, '')
}

export function isStartled(request: string): boolean {
  return STARTLED.test(coreAsTyped(request)) || STARTLED.test(request)
}

export interface Undoing {
  /** How long ago it was done; infinite where nothing was. */
  readonly at: number
  readonly plan: Plan
}

/** "Delete it" is about what was shown, if that was later than what was done. */
export function isShownSince(
  at: number,
  shown: ReturnType<typeof wholeSentence>,
  { metadata }: PromptParts,
): boolean {
  if (shown?.phrase.shown === undefined) return false
  const row = shownRow(shown.phrase.shown, shown.taken['thing'] ?? '', { metadata })
  return row !== null && ageOf(row) < at
}
