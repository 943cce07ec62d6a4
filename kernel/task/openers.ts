/**
 * Words before a correction that are no part of it: "actually", "no, wait", "ach quatsch", "sorry, I meant". Pure; must not know what is
 * corrected. Called by edit-words.ts, correction-words.ts and what reads a change of a card.
 */

const HELD =
  "no|nope|nah|nein|nee|ne|nö|wait(?: a (?:second|minute|moment))?|hold on|hang on|hmm+|hm+|uh+|uhm+|um+m|er+m?|ähm?|öhm?|oh(?: no| nein| je)?|ach(?: nein| nee?| quatsch| so| ja| stimmt| mist)?|quatsch|actually|eigentlich|warte(?: mal)?|moment(?: mal)?|halt|stopp?|sorry|pardon|oops|ups|hoppla|entschuldigung|entschuldige|my (?:mistake|bad)|mein fehler|i (?:meant|mean|said)|ich (?:meinte?|sagte|meine natürlich)|i(?: woul)?d rather|i(?:['’]d| would) (?:rather|prefer)|better|(?:on )?second thoughts?|thinking about it|das heißt|that is|doch(?: lieber| besser)?|vielmehr|or rather|oder vielmehr|nicht ganz|not quite|not that"
const MILD =
  "and|und|also|please|pls|bitte|but|aber|then|dann|well|na|nun|naja|tja|so|ok|okay|let['’]s say|sagen wir|could you|can you|kannst du|könntest du|mach(?:e)? (?:doch |bitte )?mal|lieber|besser|rather"

/** Source of an expression for any number of them at the beginning; a blank ends each. */
export const OPENERS = `(?:(?:${HELD}|${MILD})(?:[,.:;!…–-]+(?= )|\\.{2,3})? +)*`

const LEADING = new RegExp(`^${OPENERS}`, 'iu')
const HELD_FIRST = new RegExp(`^(?:(?:and|und|but|aber|oh|ok|okay|well)[,.]? +)*(?:${HELD})(?!\\p{L})`, 'iu')

/** One line, without what stands before the correction and without courtesy behind it. */
export function withoutOpeners(text: string): string {
  return text.trim().replace(LEADING, '')
}

/** Whether it begins as a correction of what was said before. */
export function beginsAsCorrection(text: string): boolean {
  return HELD_FIRST.test(text.trim())
}
