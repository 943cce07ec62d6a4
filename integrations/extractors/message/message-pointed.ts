/**
 * Finds a pronoun or fragment in a message that names nothing it could refer to: "tell them …", "ya send it",
 * "has she answered", "and friday", "link?". The referent may be in the earlier conversation, or nowhere, so
 * the owner is asked. Works on the text alone; must not plan. Called by the rules model and message-talk.ts.
 */
import { namedWords } from './message-seek.ts'

/** Maximum UTF-16 units. Longer messages report more than they ask. */
const LONGEST = 220
/** Maximum words of a fragment that continues an earlier request. */
const MOST_FRAGMENT = 4

export interface Pointed {
  /** The word or fragment as typed. */
  readonly word: string
  readonly is: 'pronoun' | 'fragment'
}

const E = '(?![\\p{L}\\p{N}])'
const BEGINS =
  "(?:^|(?<=[.,;:!?] )|(?<=(?<!\\p{L})(?:and|then|please|pls|can you|could you|would you|you can|dont|don['’]t|und|dann|bitte|ja|ya|yes|ok|thanks|danke|also|kannst du|könntest du) ))"
/** The pronoun must be followed by the end of its clause or by a word that starts something else. */
const ENDS =
  '(?=\\s*(?:[.,;:!?–-]|$)|\\s+(?:please|pls|now|then|again|actually|to|on|onto|into|in|from|if|that|about|off|out|up|down|and|politely|anyway|instead|later|back|bitte|jetzt|dann|nochmal|auf|ein|raus|weg|ab|mit|an|zu|dass|ob|wieder|und)(?!\\p{L}))'
const WAYS: readonly RegExp[] = [
  // A request with a pronoun as its object.
  new RegExp(
    `${BEGINS}(?!(?:is|was|are|do|does|did|like|love|hope|think|know|mean)${E})\\p{L}+ (?<word>it|that|this|them|those|these|him|her)${ENDS}`,
    'iu',
  ),
  new RegExp(
    `${BEGINS}(?:tell|ask|text|email|mail|write(?: back)?(?: to)?|reply to|answer|chase|remind|invite|let|send) (?<word>them|him|her)${E}`,
    'iu',
  ),
  new RegExp(
    `${BEGINS}(?:schreib|sag|schick|frag|antwort|ruf|erinner|lad|gib)\\p{L}* (?<word>ihm|ihr|ihnen|denen|ihn)${E}`,
    'iu',
  ),
  new RegExp(
    `${BEGINS}(?:setz|mach|schick|lösch|trag|nimm|verschieb|schieb|stell|send|speicher|druck|lies|öffne)e? (?<word>es|das|die|den|sie|ihn)${ENDS}`,
    'iu',
  ),
  // Refers to one of the results that were shown.
  new RegExp(
    `^(?<word>the (?:\\p{L}+ )?ones?|die|den|der|das) (?:from|with|about|by|that|von|vom|mit|über|wegen)${E}`,
    'iu',
  ),
  // A question about a pronoun.
  new RegExp(
    `^(?:(?:so|and|ok|hey|but|fine|right)[ ,.]+)*(?:(?:what|when|where|how|why|who)(?: \\p{L}+){0,2}? )?(?:did|does|do|has|have|is|are|was|were|can|will|would) (?<word>he|she|they)${E}`,
    'iu',
  ),
  new RegExp(`^(?:(?:so|and|ok|hey|but)[ ,.]+)*(?:did|does|has) (?<word>it|that)${E}`, 'iu'),
  new RegExp(
    `(?:^|, )(?:(?:[Uu]nd|[Nn]a|[Hh]ey|[Oo]k)[ ,]+)*(?:(?:[Ww]as|[Ww]ann|[Ww]o|[Ww]ie|[Ww]arum) )?(?:[Hh]at|[Ii]st|[Kk]ommt|meint|will|sagt|schreibt|war) (?<word>er|sie|der|die)(?= (?:\\p{Ll}+(?:\\s|[?.!]|$)))${E}`,
    'u',
  ),
]
/** A fragment that continues an earlier request. */
const GOES_ON = /^(?:and|und|or|oder|then|dann)\s+\S/iu
const ONE_WORD = /^[\p{L}][\p{L}\p{N}'’-]{2,}$/u

/** Null if the message names what it is about, or asks for nothing. */
export function pointedIn(text: string): Pointed | null {
  const said = text.trim()
  if (said.length > LONGEST) return null
  const bare = said.replace(/[\s?!.,]+$/u, '')
  const isFragment = ONE_WORD.test(bare) || (GOES_ON.test(bare) && bare.split(/\s+/).length <= MOST_FRAGMENT)
  if (isFragment) return { word: bare.replace(GOES_ON, (lead) => lead.slice(-1)), is: 'fragment' }
  for (const way of WAYS) {
    const found = way.exec(said)
    const word = found?.groups?.['word']
    if (found === null || word === undefined) continue
    // A name before the pronoun is its referent.
    if (namedWords(said.slice(0, found.index)).length === 0) return { word, is: 'pronoun' }
  }
  return null
}
