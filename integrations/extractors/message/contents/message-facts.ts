/**
 * Splits two facts in one sentence: "the wholesaler closes at 2 on saturdays and my alarm code is 4471". Each
 * is stored by itself, so that one can be forgotten alone. Only if the second names its own subject and
 * refers to nothing before it. Pure. Called by message.ts and planner.ts.
 */

/** UTF-16 units that are looked at. */
const MOST = 240
const VERB =
  '(?:is|are|was|were|has|have|likes?|needs?|lives?|works?|closes?|opens?|starts?|ist|sind|war|hat|haben|heißt|lautet|liegt|hängt|steht|wohnt|mag|kommt|macht|schließt|öffnet)'
const TWO = new RegExp(
  `^(?<one>\\S.{1,140}?\\s${VERB}\\s\\S.{0,120}?),? (?:and|und)(?: that| dass)? (?<two>(?:my|our|mein\\p{L}*|unser\\p{L}*|(?:mrs|mr|ms|miss|frau|herr)\\.? \\p{L}+)(?: [^,;.?!]{1,50}?)? ${VERB} \\S[^;?!]{0,100})$`,
  'iu',
)
/** It leans on what was said before, or on both. */
const LEANS =
  /(?<!\p{L})(?:too|also|as well|both|same|neither|either|it|its|them|they|their|he|she|him|her|his|that|this|there|then|so|auch|beide|gleiche?|es|sie|ihn|er|ihm|ihr\p{L}*|sein\p{L}*|dort|da|dann|deshalb)(?!\p{L})/iu
const BOUND =
  /(?<!\p{L})(?:if|when|whenever|because|since|while|unless|both|between|wenn|weil|falls|während|sowohl|entweder)(?!\p{L})/iu

/** Null for one fact. */
export function twoFacts(told: string): readonly [string, string] | null {
  const { one, two } = (told.length > MOST ? null : TWO.exec(told.trim()))?.groups ?? {}
  if (one === undefined || two === undefined || LEANS.test(two) || BOUND.test(told)) return null
  return [one.trim(), two.replace(/[\s.!]+$/, '')]
}
