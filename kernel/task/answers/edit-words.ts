/**
 * Reads which text a message puts on a card: "edit: …", "edit 15: …", "edit subject: …", and the same in German; and whether
 * that text changes a time, people or a name instead. Pure; must not look at a card. Called by edit-text.ts and the terminal.
 */

import { OPENERS } from './openers.ts'

export interface EditWords {
  /** Number or id of a card, or empty. */
  readonly which: string
  /** Name of the text on the card, or empty. */
  readonly field: string
  readonly text: string
}

const VERB = '(?:edit|ändere|ändern)'
const NUMBER = '(?<which>[1-9]\\d{0,8})'
/** Only a slash command takes an id; in a sentence the next word is not one. */
const COMMANDED = '(?<which>[\\w.-]{1,80})'
const FIELD = '(?<field>\\p{L}[\\p{L}_-]{0,30})'
const REST = '\\s*(?<text>\\S[\\s\\S]*)$'

const FORMS: readonly RegExp[] = [
  form(`^${VERB}(?:\\s+${NUMBER})?\\s*:${REST}`),
  form(`^${VERB}(?:\\s+${NUMBER})?\\s+${FIELD}\\s*:${REST}`),
  form(`^${VERB}\\s+${NUMBER}\\s${REST}`),
  form(`^/${VERB}\\s+${COMMANDED}\\s+${FIELD}\\s*:${REST}`),
  form(`^/${VERB}\\s+${COMMANDED}[\\s:]${REST}`),
]

function form(source: string): RegExp {
  return new RegExp(source, 'iu')
}

/** The edit in a message; null for any other message. */
export function editInMessage(message: string): EditWords | null {
  for (const one of FORMS) {
    const { which = '', field = '', text } = one.exec(message.trim())?.groups ?? {}
    if (text !== undefined) return { which, field, text: text.trim() }
  }
  return null
}

/** Maximum UTF-16 units of a change; longer words are a text. */
const LONGEST = 120
const LENGTH =
  '(?:an?|half an|one|two|three|four|five|ten|fifteen|twenty|thirty|forty-five|\\d{1,3}(?:[.,]\\d)?|einen?|eine halbe|eine viertel|zwei|drei|zehn|fünfzehn|zwanzig|dreißig) ?(?:hours?|hrs?|h|minutes?|mins?|days?|weeks?|stunden?|viertelstunde|minuten?|min|tage?|wochen?)(?: and a half)?'
const LEAD = OPENERS
const PEOPLE: readonly RegExp[] = [
  form(`^${LEAD}(?:add|put|make|setze?|nimm) .{1,80} (?:cc|bcc|kopie)\\b.{0,80}$`),
  form(`^${LEAD}(?:add (?:a )?|setze? )?b?cc (?:to |an |auf )?\\S.{0,80}$`),
]
const OTHERS: readonly RegExp[] = [
  form(
    `^${LEAD}(?:(?:make|move|push) it )?${LENGTH} (?:later|earlier|sooner|longer|shorter|später|früher|länger|kürzer)(?: (?:instead|please|bitte))?[.!]?$`,
  ),
  form(
    `^${LEAD}(?:make|move|set|push|verschiebe?|verlege?) (?:it|that|this|ihn|es|das|den termin)\\b.{1,80}$`,
  ),
  form(
    `^${LEAD}(?:at|um|from|ab) (?:\\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|half|quarter|halb|viertel|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf).{0,40}$`,
  ),
  form(
    `^${LEAD}(?:(?:make|mache?) (?:it|that|es|daraus) |only |just |nur |for |für )+${LENGTH}(?: (?:long|lang|only|nur))?[.!]?$`,
  ),
  form(`^${LEAD}${LENGTH} (?:only|nur|long|lang)[.!]?$`),
  form(`^${LEAD}mache? (?:d(?:a)?raus .{1,40}|.{1,40} d(?:a)?raus)(?: bitte)?[.!]?$`),
  form(
    `^${LEAD}(?:only |just |nur |make it )*(?:till?|until|bis) (?:\\d|noon|half|quarter|halb|viertel|mittag).{0,20}$`,
  ),
  form(`^${LEAD}.{1,40} instead[.!]?$`),
  form(`^${LEAD}(?:stattdessen|lieber|besser|rather) .{1,40}$`),
  form(`^${LEAD}(?:invite|inviting|lade) \\S.{0,80}$`),
  form(`^(?:and|und|plus) \\S.{0,60} (?:too|as well|auch)[.!]?$`),
  form(
    '^(?:(?:and|und|ok|okay|please|bitte),? )*(?:(?:also|auch|noch) (?:(?:send|schicke?) (?:it|that|es|sie) )?|(?:send|schicke?) (?:it|that|es|sie) (?:also|auch|noch) )(?:to|an) \\S.{0,80}$',
  ),
  form(`^${LEAD}(?:all|the whole) day[.!]?$|^${LEAD}(?:ganztägig|den ganzen tag)[.!]?$`),
]

/** Whether the words add a copy to someone, which is read as a change even on a card with free text. */
export function readsAsCopy(text: string): boolean {
  return matchesAny(PEOPLE, text)
}

/** Whether the words change a time, people or a name, and are not a text. */
export function readsAsChange(text: string): boolean {
  return matchesAny([...PEOPLE, ...OTHERS], text)
}

function matchesAny(forms: readonly RegExp[], text: string): boolean {
  const said = text.trim().replace(/\s+/g, ' ')
  return said.length <= LONGEST && forms.some((one) => one.test(said))
}
