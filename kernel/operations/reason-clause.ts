/**
 * Removes the reason given after a request, in English and German: "no need to remind me of the bins any longer, my flatmate
 * does it now". Pure; must not decide what is meant. Called by commands.ts, for requests that pick an existing thing.
 */

/** Subject of a reason. Excludes an order, which begins with its verb, and a second request, which begins with "and". */
const SUBJECT =
  "(?!(?:please|pls|bitte|and|und|then|dann|also|auch|but|aber|instead|only|just|nur|not|nicht|or|oder|if|wenn|falls|unless)(?!\\p{L}))(?:(?:my|our|the|his|her|their|an?|mein\\p{L}*|unser\\p{L}*|ihre?|seine?|der|die|das) )?\\p{L}[\\p{L}'-]*(?: (?:and|und) (?:my |the |mein |meine )?\\p{L}+)?"
/** A finite verb, in forms that an order does not have. */
const IS_SO =
  "(?:am|is|are|was|were|has|have|had|does|did|will|can|could|would|takes|took|gets|got|comes|came|goes|went|handles|keeps|pays|paid|brings|looks|\\p{L}{2,20}ed|\\p{L}{3,20}(?<!s)s|'s|macht|machen|hat|haben|habe|ist|sind|bin|war|wird|werden|will|kann|kümmert|kümmere|übernimmt|nimmt|bringt|erledigt|zahlt|holt|kommt|geht|denkt)"
/** Words that mark a reason: it is so by now, or without the owner's help. */
const BY_NOW =
  '(?:now|nowadays|already|anyway|any ?more|any longer|from now on|these days|instead|himself|herself|themselves|myself|ourselves|jetzt|nun|inzwischen|mittlerweile|schon|bereits|sowieso|ohnehin|selbst|selber)'
const BECAUSE = "(?:because|cos|'?cause|since|as|now that|weil|denn|da|seit)"
const REASONS: readonly RegExp[] = [
  new RegExp(`(?:\\s*[,;.–-]+|(?<=\\S))\\s+${BECAUSE} (?=${SUBJECT} [^.!?;]{1,60}[.!]*$)`, 'iu'),
  new RegExp(
    `\\s*[,;.–-]+\\s+(?=${SUBJECT} ${IS_SO}(?!\\p{L})[^.!?;]{0,60}[.!]*$)(?=[^.!?;]*(?<!\\p{L})${BY_NOW}(?!\\p{L}))`,
    'iu',
  ),
]
/** "Any longer" at the end of what the owner no longer wants. */
const NO_LONGER = /\s+(?:any ?more|any longer|no longer|from now on)[\s.!]*$/iu
/** Maximum UTF-16 units: requests are short. */
const LONGEST = 300

/**
 * The request without its reason. Null if there is none, if fewer than two words would
 * be left, or if the text is too long, a question, or contains a quotation or a colon.
 */
export function withoutReason(text: string): string | null {
  if (text.length > LONGEST || text.includes('?') || /["“”„«:]/.test(text)) return null
  const cut = REASONS.map((reason) => reason.exec(text)).find((found) => found !== null && found.index > 0)
  const left = (cut === undefined || cut === null ? text : text.slice(0, cut.index)).replace(NO_LONGER, '')
  return left === text || !/\S\s+\S/.test(left) ? null : left
}
