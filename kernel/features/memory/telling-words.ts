/**
 * The words by which one thing is told from another: what of the owner's own stands in a handle (planner-view.ts), and which of
 * his notes concern a message (recollection.ts). Pure.
 */

/** Shortest word that is looked for, in UTF-16 units: `the` stands in everything. */
const TELLING = 4

/** Long enough to be looked for, and in every second sentence all the same. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'about after again also always been before being could does doing from have here just know like might more most much ' +
    'need only over please remember remind shall should some tell than that their them then there these they this those ' +
    'want was were what when where whether which while will with would your'
  ).split(' '),
)

/** Words long enough, and rare enough, to tell one thing from another; case and accents aside. */
export function tellingWords(text: string): ReadonlySet<string> {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return new Set(words.filter((word) => word.length >= TELLING && !COMMON.has(word)))
}
