/**
 * Reads a reminder with a condition that can be checked at once: what the owner has answered, or what is in
 * the calendar or on the list ("unless I've got something at 6", "Have I answered Tom yet? If not, …").
 * Conditions about incoming mail are handled by `timed/watch.ts`. Must not look anything up.
 */
import { type Moment, readDates, type Span } from '../../../dates/read.ts'
import { readWatch, withoutAsked } from '../../timed/watch.ts'

export interface Condition {
  /** As typed. */
  readonly words: string
  /** What is asked for, without the condition, as typed. */
  readonly request: string
  /** When to remind; null where the request does not say. */
  readonly due: Span | null
}

const LEAD =
  '(?:(?:please|bitte|then|dann|and|und|also) )*(?:(?:remind|nudge|ping) me|(?:set|make) (?:me )?a reminder|erinner(?:e|st du)? mich)(?!\\p{L})'
const IF =
  '(?:but )?(?:only )?(?:if|unless|provided(?: that)?)|(?:aber )?(?:nur )?(?:wenn|falls|sofern|es sei denn|außer(?:,? wenn)?)'
/** A condition of what was asked just before: "If not", "wenn ja". */
const SO = `(?:${IF})(?: that['’]s)? (?:not|so|yes|no|the case|nicht|nein|ja|doch)`
const ASKED = new RegExp(`^(?<words>\\S.{2,200}?\\?)\\s+(?:${SO})[,:]?\\s+(?<request>${LEAD}.*)$`, 'isu')
const FIRST = new RegExp(
  `^(?<words>(?:${IF}) (?:[^.!?]|[.!?](?=\\S)){3,200}?),?\\s+(?<request>${LEAD}.*)$`,
  'isu',
)
const LAST = new RegExp(`^(?<request>(?:.{0,60} )?${LEAD}.*?),?\\s+(?<words>(?:${IF}),? .{3,200})$`, 'isu')

/** Of the owner, now: what was answered, sent, put in the calendar or on the list. */
const OWN =
  /^(?:\P{L}|still |then |also |noch |dann )*(?:i|we|my|our|ich|wir|mein\p{L}*|unser\p{L}*|i['’](?:m|ve|d|ll)|we['’](?:re|ve|d))(?!\p{L})/iu
/** German "wenn ich zu Hause bin" is a time; with these words it is a condition. */
const LOOKED_AT =
  /(?<!\p{L})(?:nicht|nichts|nix|noch|schon|bereits|kein\p{L}*|frei|vor|beantwortet|geantwortet|geschrieben|geschickt|gemailt|zugesagt|abgesagt|zeit)(?!\p{L})/iu
const WHEN = /^(?:aber )?(?:nur )?wenn(?!\p{L})/iu
/** Of mail that comes, or does not, somebody else is to be asked for; it is watched. */
const HEARD =
  /(?<!\p{L})(?:hear|heard|receive|received|gehört|höre|bekommen|bekomme|erhalten|erhalte)(?!\p{L})/iu
const LOOKED_UP =
  /(?<!\p{L})(?:calendar|diary|schedule|meetings?|appointments?|busy|booked|(?:my|the) (?:[\p{L}-]+ )?list|kalender|termine?|besprechung(?:en)?|(?:meiner|der) (?:\p{L}*)liste|(?:been|was|is|has|have) (?:already )?sent|gone out|abgeschickt|verschickt|versendet)(?!\p{L})/iu

/** Null for any other message. `core`: without what is polite around it. */
export function conditionIn(core: string, moment: Moment): Condition | null {
  const text = core.trim().replace(/(?<![.!?\s])[.!?\s]+$/, '')
  const asked = ASKED.exec(text)?.groups
  const found = asked ?? FIRST.exec(text)?.groups ?? LAST.exec(text)?.groups
  const { words = '', request = '' } = found ?? {}
  if (request === '') return null
  if (asked === undefined) {
    const said = words.replace(new RegExp(`^(?:${IF})[,\\s]+`, 'iu'), '')
    const isOwn = OWN.test(said) && (!WHEN.test(words) || LOOKED_AT.test(said))
    if ((!isOwn && !LOOKED_UP.test(said)) || HEARD.test(said)) return null
    // "To ask Tom if I can come" is what to be reminded of, and mail from somebody is watched.
    if (
      !/(?:^|\s)(?:if|unless|provided|wenn|falls|sofern|es sei denn|außer)(?=[\s,])/iu.test(
        withoutAsked(text),
      )
    )
      return null
    const watch = readWatch(core, moment)
    if (watch !== null && watch.kind !== null) return null
  }
  return { words, request, due: readDates(request, moment).span }
}
