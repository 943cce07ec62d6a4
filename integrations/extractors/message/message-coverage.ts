/**
 * The words of a message that its reading does not account for (DESIGN §10): neither part of the request's sentences, nor of what was
 * taken out of it, nor filler. With one of them left, a model plans if there is one. Called by message.ts.
 */

import type { Phrase, WordLists } from '../../tools/phrase.ts'
import { INTENT_HEAD } from './message-sentence.ts'

/**
 * English words that change nothing about a request. No conjunction, condition, negation or repetition: "and", "if", "not" and
 * "every" begin something that a sentence does not have.
 */
export const FILLER: ReadonlySet<string> = new Set(
  (
    'a an the my our your me us i you we it its this that these those there here please pls kindly just now quickly do does did ' +
    "have has had got get give show tell let is are was were be been am will would can could shall should may might i'd i'll " +
    "i've what's whats when's who's let's to for of on in at from with by about up out into onto any some all so ok okay hey hi " +
    'hello thanks thank pfar one ones time s ' +
    'der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner mir mich dir dich uns sich ich du sie er ' +
    'es wir bitte mal ma doch denn eigentlich halt eben schon noch gerade kurz schnell so ja hab habe haben hast hat hatte bin bist ist sind ' +
    'war wird werden gibt zu zum zur von vom für fuer im ins auf bei beim mit aus nach da hier dann jetzt ne nen gerne gern einfach ' +
    'nochmal is grad grade jeweils heuer eh nämlich ' +
    'zeig zeige sag sage u yet already again pretty really'
  ).split(' '),
)
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu

export interface Accounted {
  /** The request's own sentences. */
  readonly phrase: Phrase | null
  readonly lists: WordLists
  /** Text that was taken out of the message: names, addresses, a title. */
  readonly taken: readonly string[]
}

/** `text`: the message without its times. Lower-case words, in order. */
export function unaccountedWords(text: string, { phrase, lists, taken }: Accounted): readonly string[] {
  const known = new Set([
    ...taken.flatMap(wordsOf),
    ...(phrase === null ? [] : Object.values(phrase.says).flat()).flatMap((says) =>
      sentenceWords(says, lists),
    ),
  ])
  const words = wordsOf(text)
  // "Read it and summarise it": a second word of the same request.
  const joins = (word: string, at: number): boolean => word === 'and' && known.has(words[at + 1] ?? '')
  return words.filter(
    (word, at) => !known.has(word) && !FILLER.has(word) && !/^\d{1,3}$/.test(word) && !joins(word, at),
  )
}

/** Words that join a second request, a condition or a repetition to the first, in the languages that owners write. */
const MORE =
  /(?<![\p{L}\p{N}])(?:and|then|but|if|unless|also|plus|or|every|each|daily|weekly|monthly|except|otherwise|und|dann|aber|wenn|falls|auch|oder|jede[nrsm]?|täglich|et|puis|mais|si|aussi|ou|chaque|y|luego|pero|también|cada)(?![\p{L}\p{N}])|(?:[;?!]|\p{Ll}{3}\.)\s+\S|\.\s+\S[^.]{0,200}\?\s*$|\n\s*\S/iu

/** "In the family calendar": where an event goes is no part of its title. */
const CALENDAR = /\b(?:in|on|to|into) (?:the|my|our|his|her|their) (?:\S+ ){1,2}calendar\b/i

/** Whether a text says into which of several calendars something goes. */
export function namesCalendar(text: string): boolean {
  return CALENDAR.test(text.slice(0, INTENT_HEAD))
}

/** Behind a sentence or an "and", words that ask for something else. */
const SECOND =
  /(?:(?<!\p{L})(?:and|then|also|und|dann)|[;!?]|(?<!\b(?:no|nr|st|mr|mrs|dr|ca))\.) (?:please |then |also |bitte |can you |could you )?(?:add|remind|book|send|tell|email|mail|reply|answer|forward|invite|drop|let|swap|put|delete|remove|cancel|call|write|show|check|move|set|make|buy|find|search|what|whats|when|where|who|how|is|are|do|does|did|am|erinner|schreib|trag|setz|schick|sag|lösch|zeig|such|nimm|was|wann|wo|wer|wie)(?!\p{L})/iu

/** Whether a text to the end of a message holds a second request. */
export function saysSecond(text: string): boolean {
  return SECOND.test(text.slice(0, INTENT_HEAD)) || /\n\s*\S/.test(text.slice(0, INTENT_HEAD))
}

/** Days that come again: a repetition in a request, and a part of what is so in a fact. */
const AGAIN = /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends)\b/i

/** Whether a text that was taken whole may be of more than one time. */
export function saysAgain(text: string): boolean {
  return AGAIN.test(text.slice(0, INTENT_HEAD))
}

/** Whether a text that was taken whole may hold more than one thing, by its beginning. */
export function saysMore(text: string): boolean {
  return MORE.test(text.slice(0, INTENT_HEAD))
}

export function wordsOf(text: string): readonly string[] {
  return (text.slice(0, INTENT_HEAD).toLowerCase().replaceAll('’', "'").match(WORD) ?? []).map((word) =>
    word.replace(/'s?$/, ''),
  )
}

/** All words that a sentence can have, its lists included; without what must not occur. */
function sentenceWords(says: string, lists: WordLists, depth = 0): readonly string[] {
  if (depth > 3) return []
  const main = says.split(/ - /)[0] ?? ''
  const named = [...main.matchAll(/<(\w+)>/g)].flatMap(([, name = '']) => lists[name] ?? [])
  const plain = main.replace(/<\w+>\*?|\{[^}]*\}|!\([^)]*\)/g, ' ')
  return [...wordsOf(plain), ...named.flatMap((row) => sentenceWords(row, lists, depth + 1))]
}
