/**
 * Finds and normalises names of lists in a message: "the hardware list", "die Baumarktliste". A list has no row of its own: it is a name
 * on its entries, and an entry without a name is on the owner's own list. Pure; must not look up which lists exist. Called by list-rows.ts,
 * found.ts, operations/commands.ts and the readers of messages.
 */

/** Maximum UTF-16 units of a list's name, which is shown above its entries. */
export const LIST_NAME_MAX = 40
/** Maximum named lists with open entries, so that a faulty plan cannot create a list for every word. */
export const MOST_LISTS = 30
/** Maximum UTF-16 units of a message that is searched for a list. */
const MOST = 400

/** A word of a name, and none that begins something else. */
const WORD =
  "(?!(?:the|my|our|a|an|on|onto|to|in|into|off|from|of|at|for|with|and|or|is|are|it|them|that|this|as|by|next)(?!\\p{L}))[\\p{L}\\d][\\p{L}\\d&'’-]*"
const NAMED = new RegExp(
  `(?<![\\p{L}\\d])(?<det>the|my|our|this|that|on|onto|to|off|from) (?<name>${WORD}(?: ${WORD}){0,2}?) (?<noun>list)(?![\\p{L}\\d])`,
  'iu',
)
const GERMAN =
  /(?<![\p{L}\d])(?<det>die|der|den|dem|zur|zum|meine[nmr]?|unsere[nmr]?) (?<name>[\p{L}\d][\p{L}\d-]*?)-?(?<noun>liste|zettel)(?![\p{L}\d])/iu
/** "Hardware list: screws". */
const FIRST = new RegExp(
  `^(?<det>)(?:(?<name>${WORD}(?: ${WORD})?) (?<noun>list)|(?<name2>[\\p{L}\\d-]+?)-?(?<noun2>liste|zettel))(?= ?:)`,
  'iu',
)
/** The owner's own list, in other words. */
const OWN = /^(?:(?:to-?)?do|tasks?|aufgaben|list|open|offene|whole|ganze|same|full)$/
/** Lists that are something else than what somebody has to do or to get, such as those of contacts, and those that say who may do what. */
const ELSEWHERE =
  /(?:^| )(?:e-?mail|mailing|contact|kontakte?|guest|gäste|invit|einladungs|waiting|warte|price|preis|reminder|erinnerungs|job|block|allow|deny|access|permission|zugriffs|sperr|erlaubnis)/
/** Names that say the same in other words. */
const SAME: Readonly<Record<string, string>> = {
  ...{ grocery: 'shopping', groceries: 'shopping', einkauf: 'shopping', einkaufs: 'shopping' },
}

/** Without the words around it: "the hardware list" is "hardware". */
function bareName(said: string): string {
  return withoutDeterminer(said)
    .replace(/(?:^|[\s-])list$|-?(?:liste|zettel)$/iu, '')
    .trim()
}

function withoutDeterminer(said: string): string {
  const plain = said.normalize('NFC').replace(/\s+/g, ' ').trim()
  return plain.replace(/^(?:the|my|our|die|der|den|meine[nmr]?|unsere[nmr]?) (?=\S)/iu, '')
}

/** What two names have in common that mean one list: no case, no accents, no word for a list. */
export function listKey(name: string): string {
  const key = bareName(name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s'’-]+/g, ' ')
    .trim()
  return SAME[key] ?? key
}

/** A name as it is kept, whoever wrote it. Null for the owner's own list, and for what is no name. */
export function listName(said: string): string | null {
  const bare = bareName(said)
  const isName = NAME.test(bare) && said.length <= LIST_NAME_MAX
  return isName && !OWN.test(bare.toLowerCase()) ? withoutDeterminer(said) : null
}

const NAME = new RegExp(`^${WORD}(?: ${WORD}){0,2}$`, 'iu')

export interface NamedList {
  readonly name: string
  /** The same message about the owner's own list. */
  readonly plain: string
}

/** The list that a message names; null for one that names none, or several. */
export function listIn(text: string): NamedList | null {
  if (text.length > MOST || !/list|zettel/i.test(text)) return null
  for (const pattern of [NAMED, GERMAN, FIRST]) {
    const found = pattern.exec(text)
    const { det = '', name = found?.groups?.['name2'], noun = found?.groups?.['noun2'] } = found?.groups ?? {}
    if (found === null || name === undefined || noun === undefined) continue
    const whole = found[0].slice(det === '' ? 0 : det.length + 1)
    const kept = ELSEWHERE.test(name.toLowerCase()) ? null : listName(whole)
    const rest = text.slice(found.index + found[0].length)
    if (kept === null || namesOne(rest)) return null
    return { name: kept, plain: `${text.slice(0, found.index)}${det}${det === '' ? '' : ' '}${noun}${rest}` }
  }
  return null
}

function namesOne(rest: string): boolean {
  return NAMED.test(rest) || GERMAN.test(rest)
}

/** Whether an entry is on the list of this name. */
export function isOnList(list: string | null, name: string): boolean {
  return list !== null && listKey(list) === listKey(name)
}
