/**
 * Recognises messages that tick entries of the task list off: "take the flour off again", "got the eggs", "Mehl wieder runter".
 * Each part must name exactly one open task. After "got" or "have" it must be the whole entry: "got the car" is not "wash the
 * car". Must not tick anything off. Called by recognise-end.ts.
 */
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { indexWords } from '../memory/telling-words.ts'
import { foundAt } from '../reminders/found.ts'
import type { ReminderStore } from '../reminders/port.ts'

const WHICH = "(?<which>[\\p{L}\\d][\\p{L}\\d',& -]{1,60}?)"
const THE = '(?:the |my |that |those |our |some |die |den |das |der )?'
const SINCE = '(?: (?:now|already|too|as well|covered|again|after all|please|then))*'
const SCHON =
  '(?: (?:schon|jetzt|auch|bereits|wieder|doch|bitte|noch|daheim|zuhause|zu hause|im korb|im wagen))*'
const LISTE = '(?: (?:von|aus) (?:der|meiner|unserer) \\p{L}*liste| vom zettel)?'
/** Requests to strike an entry. */
const STRUCK: readonly RegExp[] = whole([
  `(?:take|cross|strike|scratch|tick|leave|drop) ${THE}${WHICH} (?:back )?(?:off|out)${SINCE}`,
  `(?:take|cross|strike|scratch|tick|leave|drop) (?:off|out) ${THE}${WHICH}${SINCE}`,
  `(?:we|i) (?:don'?t|do not) need ${THE}${WHICH}(?: after all| any ?more| now| then| again)+`,
  `no need for ${THE}${WHICH}(?: after all| any ?more| now| then)*`,
  `${THE}${WHICH}(?: (?:wieder|doch|bitte|kann|kannst du|könnt ihr|auch))* (?:runter|raus|weg|streichen|abhaken)${LISTE}(?: bitte)?`,
  `(?:nimm|streich|mach|tu|hol|nehmt|hak)e? (?:bitte |doch |wieder )*${THE}${WHICH}(?: (?:wieder|doch|bitte|auch))* (?:runter|raus|weg|ab)${LISTE}`,
  `${THE}${WHICH} brauch(?:en|e)? (?:wir|ich|ma|mer) (?:jetzt )?(?:doch )?(?:nicht|nimmer|keine?n?)(?: mehr)?`,
])
const GOT = '(?:gekauft|besorgt|geholt|mitgenommen)'
/** Statements that something was bought. The entry may contain further words. */
const BOUGHT: readonly RegExp[] = whole([
  `(?:(?:i|we)(?:'?ve)? )?(?:have |just |already )*(?:bought|ordered|picked up) ${THE}${WHICH}${SINCE}`,
  `(?:(?:ich|wir) )?(?:hab|habe|haben) ${THE}${WHICH}${SCHON} ${GOT}`,
  `${THE}${WHICH} (?:(?:hab|habe|haben) (?:ich|wir)|ist|sind)${SCHON} ${GOT}`,
])
const HAD: readonly RegExp[] = whole([
  `(?:i |we |i'?ve |we'?ve |just )*(?:have |just )*(?:got|bought|picked up|grabbed|found) ${THE}${WHICH}${SINCE}`,
  `(?:i|we) (?:already )?have ${THE}${WHICH}${SINCE}`,
  `${THE}${WHICH} (?:is|are)(?: now| already)? (?:in the (?:trolley|cart|basket|bag|car|fridge)|bought|sorted|ticked off)${SINCE}`,
  `${THE}${WHICH} (?:hab|habe|haben) (?:ich|wir|ma|mer)${SCHON}`,
  `(?:ich|wir) (?:hab|habe|haben) ${THE}${WHICH}${SCHON}(?: gekauft| besorgt| geholt| mitgenommen| bekommen)?`,
])
/** Amounts, which are ignored when entries are compared. */
const AMOUNT =
  /(?<!\p{L})(?:\d+(?:[.,]\d+)?|an?|some|few|couple|dozen|half|one|two|three|four|five|six|ten|eine?n?|zwei|drei|vier|fünf|sechs|zehn|paar|halbe[rns]?|kilos?|kg|g|gramm|grams?|liters?|litres?|l|ml|packs?|packets?|packungen|packung|pakete?|rollen?|rolls?|säcke|sack|eimer|meter|päckchen|pkg|bottles?|flaschen?|cans?|dosen?|tins?|bags?|tüten?|beutel|boxes|box|kisten?|kasten|loaf|loaves|laibe?|stück|bunch(?:es)?|bund|gläser|glas|jars?|becher|bars?|tafeln?|of|more|fresh|frische[rns]?)(?!\p{L})/giu
const JOINS = /\s*,\s*(?:and\s+|und\s+)?|\s+(?:and|und|&)\s+/i
/** Maximum words of an entry's name; more words are a sentence. */
const MOST_WORDS = 6
/** Pronouns, which name no entry, and negations. */
const NO_THING =
  /(?<!\p{L})(?:it|that|this|them|everything|all|not|no|nicht|kein\p{L}*|alles|es|ihn|sie|was|what|who|if|wenn)(?!\p{L})/iu

function whole(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map(
    (pattern) =>
      new RegExp(`^(?:(?:ok|okay|oh|so|and|und|ah|ach|ja|yes|please|bitte)[,.!]? )*${pattern}[.! ]*$`, 'iu'),
  )
}

/**
 * The words that name the entries. Null if a part names no open task, or several. `said`: without polite
 * words.
 */
export async function recogniseTick(
  powers: SealedReading & StoreOf<ReminderStore>,
  principal: string,
  said: Labeled<string>,
): Promise<Labeled<string> | null> {
  const pattern = [...STRUCK, ...BOUGHT, ...HAD].find((one) => test(said, (text) => one.test(text)))
  if (pattern === undefined) return null
  const which = derive(said, (text) => pattern.exec(text)?.groups?.['which']?.trim() ?? '')
  if (test(which, (text) => NO_THING.test(text) || text.split(/\s+/).length > MOST_WORDS)) return null
  const texts: Labeled<string>[] = []
  for (const { ref } of powers.store.openReminders(principal, 'task')) {
    const text = await openTextOf(powers, ref)
    if (text.ok) texts.push(derive(text.value, String))
  }
  const isWhole = HAD.includes(pattern)
  const named = combine([which, ...texts], ([words = '', ...open]) => {
    const rows = open.map((text) => ({ text }))
    const parts = foundAt(words, rows).length === 1 ? [words] : words.split(JOINS)
    return parts.every((part) => {
      const [only, ...others] = foundAt(part, rows)
      return only !== undefined && others.length === 0 && (!isWhole || isAll(part, open[only] ?? ''))
    })
  })
  return test(named, Boolean) ? which : null
}

/**
 * The entry that the message names, even if no such entry is on the list; null for any other message. `said`: without polite
 * words.
 */
export function saysTicked(said: string): string | null {
  const found = [...STRUCK, ...BOUGHT, ...HAD].map((one) => one.exec(said)).find((one) => one !== null)
  return found?.groups?.['which']?.trim() ?? null
}

function isAll(words: string, thing: string): boolean {
  const said = new Set(indexWords(words))
  return indexWords(thing.replace(AMOUNT, ' ')).every((word) => said.has(word))
}
