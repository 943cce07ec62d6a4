/**
 * Replaces a clause about the owner's return by the time in it: "when I am back on Monday remind me …"
 * becomes "on Monday remind me …". Without a time the clause stays, since PFAR does not know where the owner
 * is. Pure. Called by message.ts.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import { whenInEnglish } from './reminder-german.ts'

/** UTF-16 units of a message that are searched. */
const HEAD = 400
/** Maximum number of words of the time behind the clause. */
const MOST_WORDS = 6

const PLACE =
  "(?:home|here|there|in|at work|at home|in town|(?:at|in|to) the office|at my desk|online|from [\\p{L}' ]{2,30}?)"
const CLAUSE_EN = `(?:when|once|as soon as) i(?:['’]?m| am|['’]?ll be| will be| get| come)? (?:back(?: ${PLACE})?|${PLACE}|return(?:ed)?)`
const EN = new RegExp(
  `(?<![\\p{L}])${CLAUSE_EN}(?: again)?(?<mark>,? )(?<behind>(?:on|at|in|next|this|tomorrow|tonight|later|the|mon|tue|wed|thu|fri|sat|sun|\\d).*)$`,
  'isu',
)
/** "On Monday, when I'm back, …": the day precedes the clause. */
const EN_AFTER = new RegExp(`^(?<before>.{3,60}?),? ${CLAUSE_EN}(?: again)?(?=,| to | that |$)`, 'isu')
const DE_PLACE =
  '(?:(?:wieder|zurück|da|hier|daheim|zu ?hause|im (?:büro|haus|amt|laden)|in der (?:arbeit|firma)|auf (?:der )?arbeit|aus \\p{L}+)[ ]?){1,3}'
const DE = new RegExp(
  `(?<![\\p{L}])(?:wenn|sobald) ich (?<when>\\S.{1,40}?) ${DE_PLACE}(?:bin|komme|zurückkomme)(?<rest>[\\s,].*)?$`,
  'isu',
)
const DE_AFTER = new RegExp(
  `(?<![\\p{L}])(?:wenn|sobald) ich ${DE_PLACE}(?:bin|komme)(?<mark>,? )(?<behind>\\S.*)$`,
  'isu',
)

const DE_BARE = new RegExp(
  `(?:^|,? )(?:wenn|sobald) ich ${DE_PLACE}(?:bin|komme)(?:,? (?=\\p{L})|(?=[.!]?$))`,
  'iu',
)

/**
 * Returns the message with the time in place of the clause; unchanged if there is no such clause, or no time
 * in it.
 */
export function onReturn(text: string, moment: Moment): string {
  if (text.length > HEAD || !/(?<!\p{L})(?:when|once|as soon as|wenn|sobald) i(?:ch)?(?!\p{L})/iu.test(text))
    return text
  for (const pattern of [EN, DE_AFTER]) {
    const found = pattern.exec(text)
    const { behind = '' } = found?.groups ?? {}
    const when = found === null ? null : timeAhead(behind, moment)
    if (found !== null && when !== null)
      return `${text.slice(0, found.index)}${when}${behind.slice(when.length)}`
  }
  const german = DE.exec(text)
  const { when = '', rest = '' } = german?.groups ?? {}
  if (german !== null && isTime(when, moment)) return `${text.slice(0, german.index)}${when}${rest}`
  // Without any time the clause is removed, and the owner is asked for the time.
  const bare = text.replace(DE_BARE, '').trim()
  if (bare !== text && readDates(whenInEnglish(bare), moment).span === null) return bare
  const after = EN_AFTER.exec(text)
  const { before = '' } = after?.groups ?? {}
  const words = before.split(' ')
  const ends = words.some((_, at) => isTime(words.slice(at).join(' '), moment))
  return after !== null && ends ? `${before}${text.slice(after[0].length)}` : text
}

/** The longest time expression at the start of the text. */
function timeAhead(text: string, moment: Moment): string | null {
  const words = text.split(' ')
  for (let count = Math.min(MOST_WORDS, words.length); count > 0; count -= 1) {
    const ahead = words
      .slice(0, count)
      .join(' ')
      .replace(/[,.!]$/, '')
    if (isTime(ahead, moment)) return ahead
  }
  return null
}

function isTime(text: string, moment: Moment): boolean {
  return [text, whenInEnglish(text)].some((said) => {
    const { span, rest } = readDates(said, moment)
    return span !== null && /^[\s,.]*(?:(?:on|at|in|am|um|the)[\s,.]*)*$/i.test(rest)
  })
}
