/**
 * Significant words of a text: those that name something, and those of the word index (E-19). Pure. Must not consider the source
 * of a text. Called by memory search, prompts, planner views and contacts.
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
  return new Set(wordsOf(text).filter((word) => word.length >= TELLING && !COMMON.has(word)))
}

/** Too short and too common to name anything, in English, German, French and Spanish. */
const SHORT: ReadonlySet<string> = new Set(
  (
    'am an and any are as at be but by can did do for get had has he her him his how if in is it its let me my new no not now of on ' +
    'or our out pm set she so the to too up us use via was we who why yes you aber als am an auf aus bei bin bis da das dem den der ' +
    'des die ein er es fur hat ich ihr im in ist ja kein man mich mir mit nur ob oder sie sind so um und uns vom von vor was wer wie ' +
    'wir zu zum zur mein meine meinem meinen meiner meines dein deine deinem deinen deiner unser unsere unserem unseren unserer au aux ce ces de des du elle en est et il je la le les ma me mes moi mon ne nous on ou par pas pour que qui sa ' +
    'se ses son sur ta te toi ton tu un une vos al con del el la las lo los mi mis nos por que ser si son su sus tu un una uno y yo'
  ).split(' '),
)

/**
 * Words that can name something, short names such as Tom and every script included; ignoring case and
 * accents.
 */
export function namingWords(text: string): ReadonlySet<string> {
  const isName = (word: string): boolean => !COMMON.has(word) && !SHORT.has(word) && !/^[a-z\d]$/.test(word)
  return new Set(wordsOf(text).filter(isName))
}

const SEGMENTS = new Intl.Segmenter('und', { granularity: 'word' })

/** Scripts that are written without spaces between words; finding words in them takes a dictionary. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const parts = UNSPACED.test(plain) ? segmentsOf(plain) : [plain]
  return parts.flatMap((part) => part.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))
}

function segmentsOf(text: string): readonly string[] {
  return [...SEGMENTS.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  )
}

/** Maximum words of one fact in the index; a fact written by hand has fewer. */
const MOST_INDEXED = 256
/** Maximum UTF-16 units of one word. */
const LONGEST = 40

/**
 * Words as the index has them: only those that can name something, folded, and without the endings of plurals
 * and cases in English and German, so that "Sarah's lockers" is found by "the locker of Sarah". Two words of
 * one stem are one word here.
 */
export function indexWords(text: string): readonly string[] {
  const stems = [...namingWords(text)].map((word) => stemOf(word.slice(0, LONGEST)))
  return [...new Set(stems)].slice(0, MOST_INDEXED)
}

/** The texts that have all of these words. If some have them exactly as typed, only those: "lock" and "locker" have one stem. */
export function withWords<One extends { readonly text: string }>(
  words: string,
  texts: readonly One[],
): readonly One[] {
  const wanted = indexWords(words)
  if (wanted.length === 0) return []
  const fitting = texts.filter(({ text }) => isIn(wanted, new Set(indexWords(text))))
  const exactly = fitting.filter(({ text }) => isIn([...namingWords(words)], namingWords(text)))
  return exactly.length === 0 ? fitting : exactly
}

function isIn(some: readonly string[], all: ReadonlySet<string>): boolean {
  return some.every((word) => all.has(word))
}

/** Light on purpose: removes an ending, never a syllable that carries meaning. Words with digits are codes and stay whole. */
function stemOf(word: string): string {
  if (word.length < 4 || /\p{N}/u.test(word)) return word
  const one = word.replace(/(?<=...)(?<![sui])s$/u, '')
  return one.replace(/(?<=....)(?:ern|er|en|em)$|(?<=...)e$/u, '').replace(/(?<=...)y$/u, 'i')
}
