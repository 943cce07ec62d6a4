/**
 * Words that introduce a correction and are not part of it: "actually", "no, wait", "ach quatsch", "sorry, I meant". Pure;
 * must not know what is corrected. Called by edit-words.ts, correction-words.ts and the readers of changes to a card.
 */

const HELD =
  "no(?:pe)?|nah|nein|nee?|nö|wait(?: a (?:second|minute|moment))?|(?:hold|hang) on|one (?:second|sec|moment)|hm+|uh+m?|um+m|er+m?|[äö]hm?|oh(?: no| nein| je)?|ach(?: nein| nee?| quatsch| so| ja)?|quatsch|actually|eigentlich|warte(?: mal)?|moment(?: mal)?|augenblick|halt|stopp?|sorry|oops|entschuldigung|my (?:mistake|bad)|mein fehler|i (?:meant|mean|said)|ich (?:meinte|meine|sagte)|i(?:['’]d| would) (?:rather|prefer)|(?:on )?second thoughts?|i(?:['’]ve)? changed my mind|(?:ich )?hab(?:e|s)?(?: es)? mir anders überlegt|doch(?: lieber| besser)?|vielmehr|(?:or|oder) (?:rather|vielmehr)"
const MILD =
  "and|und|also|please|bitte|but|aber|then|dann|well|na|nun|so|ok|okay|let['’]s say|sagen wir|(?:could|can) you|kannst du|lieber|besser|rather"

/** Source of a regular expression for any number of such words at the beginning, each followed by a space. */
export const OPENERS = `(?:(?:${HELD}|${MILD})(?:[,.:;!…–-]+(?= )|\\.{2,3})? +)*`

const LEADING = new RegExp(`^${OPENERS}`, 'iu')
const HELD_FIRST = new RegExp(`^(?:(?:and|und|but|aber|oh|ok|okay|well)[,.]? +)*(?:${HELD})(?!\\p{L})`, 'iu')

/** The message without such words at its beginning. */
export function withoutOpeners(text: string): string {
  return text.trim().replace(LEADING, '')
}

/** Whether the message begins like a correction of an earlier one. */
export function beginsAsCorrection(text: string): boolean {
  return HELD_FIRST.test(text.trim())
}

/** Whether the message corrects an earlier one in so many words: "Sorry, I meant saturday". */
export function saysMeant(text: string): boolean {
  return (
    beginsAsCorrection(text) && /(?<!\p{L})(?:i (?:meant?|said)|ich (?:meinte?|sagte))(?!\p{L})/iu.test(text)
  )
}
