/**
 * Significant words, which distinguish one text from another: the owner's words found in a handle (planner-view.ts),
 * and facts related to a message (recollection.ts). Pure.
 */

/** Least length of a significant word, in UTF-16 units; shorter ones, such as `the`, occur everywhere. */
const TELLING = 4

/** Long enough, but too common to be significant. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'about after again also always been before being could does doing from have here just know like might more most much ' +
    'need only over please remember remind shall should some tell than that their them then there these they this those ' +
    'want was were what when where whether which while will with would your'
  ).split(' '),
)

/** Significant words of a text, ignoring case and accents. */
export function tellingWords(text: string): ReadonlySet<string> {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return new Set(words.filter((word) => word.length >= TELLING && !COMMON.has(word)))
}
