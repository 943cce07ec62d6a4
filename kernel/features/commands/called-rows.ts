/**
 * Finds reminders and tasks by words of a message, and how much of each row the words name. Must not change a row. Called by
 * recognise-placed.ts and recognise-named.ts.
 */
import { combine, type Labeled, test } from '../../flow/labeled.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import { indexWords, withWords } from '../memory/telling-words.ts'
import type { Reminder } from '../reminders/port.ts'

export interface CalledRow {
  readonly row: Reminder
  /** The words name the whole row, apart from the verb: "the pills" is "take my pills". */
  readonly isWhole: boolean
}

/** Words for meeting or calling people: such a name may as well be that of an appointment. */
const OF_PEOPLE =
  /(?<!\p{L})(?:call|phone|ring|text|e-?mail|write|meet|see|visit|go|book|confirm|ruf\p{L}*|anruf\p{L}*|treff\p{L}*|schreib\p{L}*|besuch\p{L}*|termin\p{L}*|meeting|appointment)(?!\p{L})/iu

/** Rows that have all of these words; none for words that name nothing. */
export async function rowsCalled(
  powers: SealedReading,
  rows: readonly Reminder[],
  which: Labeled<string>,
): Promise<readonly CalledRow[]> {
  const found: CalledRow[] = []
  for (const row of rows) {
    const text = await openTextOf(powers, row.ref)
    if (!text.ok) continue
    const fits = combine([which, text.value], ([words = '', one = '']) => fitOf(words, one))
    const isWhole = test(fits, (how) => how === 2)
    if (test(fits, (how) => how > 0)) found.push({ row, isWhole })
  }
  return found
}

/** 0 if the words name nothing of the text, 1 for a part, 2 for the whole. */
function fitOf(words: string, text: string): number {
  const own = indexWords(text)
  const said = new Set(indexWords(words))
  if (said.size === 0 || withWords(words, [{ text }]).length === 0) return 0
  const left = own.filter((word) => !said.has(word))
  return left.length === 0 || (left.length === 1 && !OF_PEOPLE.test(text)) ? 2 : 1
}
