/**
 * Reads requests to put off the last reminder: "in half an hour again", "erinner mich in einer Viertelstunde
 * nochmal dran", "noch zehn Minuten". The rest of the text is the time. Pure; must not know which reminder.
 * Called by reminder.ts.
 */

/** UTF-16 units: it is said in passing. */
const LONGEST = 100
const WORD = (words: string) => `(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`
/** They say that it is to come once more. */
const AGAIN = new RegExp(
  WORD(
    'again|once more|one more time|snooze(?: (?:it|that|this))?|not (?:now|yet)|nochmals?|noch ?(?:ein)?mal|nomal|nochma|wieder|erneut|schlummern?|(?:jetzt|gerade|grad|noch) nicht|nicht (?:jetzt|gerade)|^nicht(?=,)|später(?= nochmal)|bring (?:it|that|this) (?:back )?up|come back(?: (?:to me|with (?:it|that|this)))?',
  ),
  'giu',
)
/** What is asked of whoever reminds, and what points at it. */
const AROUND = new RegExp(
  WORD(
    '(?:please )?(?:remind|nudge|ping|nag|bug|poke|tell|ask)(?= me)|erinner(?:e|st du)?|sage?|nerve?|frage?|melde?|weck(?:e)?|me|us|mich|mir|uns|dich|it|that|this|to me|about (?:it|that|this)|of (?:it|that|this)|es|das|d[ae]?ran|damit|davon|bitte|please|pls|then|dann|doch|lieber|and|und|for|until|till|til|bis|erst|ok|okay|ja|yes|nope|no|nein|bescheid',
  ),
  'giu',
)
const MORE =
  /^(?:(?:give|gib|gebt|gönn)e? (?:me|us|mir|uns) )?(?:bitte )?(?:(?:just )?(?:another|an extra)|(?:nur )?noch(?: (?:mal|weitere))?|weitere) (?<length>\S.{0,24}?)(?: (?:please|bitte|then|dann|zeit|on (?:that|it|this)(?: one)?))*$|^(?:(?:give|gib)e? (?:me|us|mir|uns) )?(?<count>\S{1,12}) more (?<unit>min(?:ute)?s?|h(?:ou)?rs?)(?: (?:please|then|on (?:that|it|this)(?: one)?))*$/iu
/** A number of minutes that is said without them. */
const MINUTES =
  /^in (?<count>5|10|15|20|25|30|40|45|50|60|five|ten|fifteen|twenty|thirty|zehn|fünfzehn|zwanzig|dreißig)$/i
/** Alone it is for an hour. */
const SOME_TIME =
  /^(?:bitte )?(?:schlummern?|snooze(?: it| that| this)?|(?:gerade|grad) nicht|nicht jetzt|später(?: nochmal| wieder)?)(?:,? bitte)?$/iu

/**
 * The words of the time, or null for what says something else besides. `isTime`: whether words are a time and
 * nothing else.
 */
export function laterWhen(text: string, isTime: (words: string) => boolean): string | null {
  const said = text
    .trim()
    .slice(0, LONGEST + 1)
    .replace(/['’](?=ne)/gi, '')
    .replace(/(?<![\s.!])[\s.!]+$/, '')
  if (said.length > LONGEST || /[?:;"“„]/.test(said)) return null
  const more = MORE.exec(said)?.groups
  if (more !== undefined) {
    const { length = `${more['count']} ${more['unit']}` } = more
    const when = `in ${length.replace(/^(?:half hour|halbe stunde)$/i, (one) => (/^half/i.test(one) ? 'half an hour' : 'einer halben stunde'))}`
    return isTime(when) ? when : null
  }
  const left = said.replace(AGAIN, ' ')
  if (SOME_TIME.test(said)) return 'in 60 minutes'
  if (left === said && !MINUTES.test(said)) return null
  const bare = left
    .replace(AROUND, ' ')
    .replace(/[,\s]+/g, ' ')
    .trim()
  const when = MINUTES.test(bare) ? `${bare} ${/[äöüß]|^in z/i.test(bare) ? 'minuten' : 'minutes'}` : bare
  const length = !/^(?:in|at|um|on|am) /i.test(when) && isTime(`in ${when}`) ? `in ${when}` : when
  return isTime(length) ? length : null
}
