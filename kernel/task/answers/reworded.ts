/**
 * Applies a sentence of the owner's to a remembered fact: "it was the dog, not the cat",
 * "change the cat to a dog", "das stimmt nicht, der Schlüssel hängt jetzt bei Herrn Wilke", "no, it's 35 now".
 * Pure; must not decide which fact is meant. Called by home-talk.ts and recognise-correction.ts.
 */

/** Maximum UTF-16 units of the sentence. */
const MOST = 200
const ARTICLE = '(?:the |an? |my |der |die |das |den |dem |eine?[nmr]? |mein\\p{L}* )?'
const THING = (name: string) => `${ARTICLE}(?<${name}>[\\p{L}\\d][\\p{L}\\d'’ -]{0,40}?)`
const LEAD =
  "(?:(?:no|nein|nee|actually|sorry|oh|ach|doch|wait|eigentlich|in fact|that is wrong|that's wrong|das stimmt nicht|das ist falsch|falsch)[,.;:!]* )*"
const SWAPS: readonly RegExp[] = [
  `${LEAD}(?:it was|it is|it's|its|i meant|es war|es ist|ich meinte) ${THING('now')},? (?:and )?(?:not|nicht) ${THING('was')}`,
  `${LEAD}(?:it was |it is |it's |es war |es ist )?(?:not|nicht) ${THING('was')},? (?:but|it's|it is|sondern) ${THING('now')}`,
  `${LEAD}(?:please |bitte )?(?:change|replace|correct) ${THING('was')} (?:to|with|into|by) ${THING('now')}`,
  `${LEAD}(?:bitte )?(?:änder|ersetz|tausch|korrigier)e? ${THING('was')} (?:in|durch|zu|gegen|auf) ${THING('now')}`,
].map((pattern) => new RegExp(`^${pattern}(?:,? (?:please|bitte))?[\\s.!]*$`, 'iu'))
/** The owner states the whole fact again. */
const ANEW =
  /^(?:(?:no|nein|oh|ach|sorry)[,.!]* )?(?:that(?: is|'s|s| was|'s not| is not| isn't)(?: not)? (?:wrong|right|true|correct)(?: any ?more)?|not any ?more|das (?:stimmt|ist|war)(?: so)? (?:nicht|falsch|nicht richtig|nicht wahr)(?: mehr)?|falsch|nicht mehr)[,.;:!–-]+ (?<clause>\S.{5,150}?)[\s.!]*$/iu

/** What takes a word back; without it only "now" says that it was something else before. */
const TAKES_BACK =
  '(?:(?:no|nope|nein|nee|ne|actually|sorry|oh|ach|doch|wait|halt|moment|eigentlich|wrong|falsch|stimmt nicht)(?!\\p{L})[,.;:!]* *)'
const IS =
  "(?:(?:it|that|he|she|they|es|das|er|sie|the \\p{L}+|die \\p{L}+|der \\p{L}+)(?:'?s| is| are|'?re| has| ist| sind| hat)(?: by now| now| jetzt| inzwischen| mittlerweile)? )"
const NOW = '(?:by now|now|jetzt|inzwischen|mittlerweile)'
/** A number with a word before it and one behind: "number 14", "35 kg". */
const NUMBERED =
  '(?:(?!at |in |on |um |am |for |für |bis |ab |after |before )\\p{L}+\\.? )?[\\p{L}#+]{0,4}\\d[\\d.:,/ -]{0,18}\\p{L}{0,12}'
/** "No, it's 35 now", "nein, Nummer 14", "nee, sie heißt Brand": a value alone, in place of the only one of its kind. */
const VALUES: readonly RegExp[] = [
  `${TAKES_BACK}+${IS}?(?<now>${NUMBERED})(?: ${NOW}| instead)?`,
  `${IS}(?<now>${NUMBERED}) ${NOW}`,
  `(?:${NOW} (?:it'?s|it is|ist es|sind es|es sind)|(?:it'?s|it is|es ist|es sind) ${NOW}) (?<now>${NUMBERED})`,
  `${TAKES_BACK}+(?:(?:he|she|it|er|sie|es|die|der) )?(?:is called|'?s called|is spelt|'?s spelt|heißt|heisst|schreibt sich) (?<now>\\p{L}{3,30})(?:,? (?:with|without|mit|ohne) \\p{L}{1,2})?`,
].map((pattern) => new RegExp(`^${pattern}[\\s.!]*$`, 'iu'))

/** Whether the message is such a sentence, for any fact. */
export function isCorrection(said: string): boolean {
  const text = said.trim()
  return text.length <= MOST && [ANEW, ...SWAPS, ...VALUES].some((pattern) => pattern.test(text))
}

/** The corrected fact; null if the sentence names nothing that occurs exactly once in it. */
export function reworded(fact: string, said: string): string | null {
  if (!isCorrection(said)) return null
  for (const pattern of SWAPS) {
    const { was, now } = pattern.exec(said.trim())?.groups ?? {}
    const swapped = was === undefined || now === undefined ? null : swappedIn(fact, was.trim(), now.trim())
    if (swapped !== null) return swapped
  }
  for (const pattern of VALUES) {
    const now = pattern.exec(said.trim())?.groups?.['now']?.replace(LATELY, '').trim()
    const valued = now === undefined ? null : withValueOf(fact, now)
    if (valued !== null) return valued
  }
  const clause = ANEW.exec(said.trim())?.groups?.['clause']
  return clause === undefined ? null : saidAnew(fact, clause)
}

function swappedIn(fact: string, was: string, now: string): string | null {
  const pattern = new RegExp(`(?<![\\p{L}\\d])${was.replace(/[-']/g, '\\$&')}(?![\\p{L}\\d])`, 'giu')
  return fact.match(pattern)?.length === 1 ? fact.replace(pattern, () => now) : null
}

/**
 * Merges the new clause into the fact: the common beginning stays, and the fact's words up to the next
 * common word stay too. "The key hangs …" keeps "of the cellar" in "the key of the cellar hangs at …".
 */
function saidAnew(fact: string, clause: string): string | null {
  const [own, said] = [fact.split(/\s+/), clause.split(/\s+/)]
  const isSame = (one = '', other = ''): boolean => one !== '' && one.toLowerCase() === other.toLowerCase()
  const alike = said.findIndex((word, at) => !isSame(word, own[at]))
  if (alike < 1) return null
  const from = own.findIndex((word, at) => at >= alike && isSame(word, said[alike]))
  // One common first word alone does not show that both are about the same thing.
  if (from < 0 && alike < 2) return null
  return [...own.slice(0, from < 0 ? alike : from), ...said.slice(alike)].join(' ')
}

/** No unit of the number before it. */
const LATELY = / (?:by now|now|jetzt|inzwischen|mittlerweile|instead)$/iu
const NUMBER = /(?<![\p{L}\d])\p{L}{0,4}\d(?:[\d.:,/-]|(?<=\d) (?=\d))*(?<=\d)\p{L}?(?![\p{L}\d])/giu

/** The fact with its only number, or that behind the same word, in place; or with the one word that is spelt much like the new one. */
function withValueOf(fact: string, now: string): string | null {
  const [number, ...more] = now.match(NUMBER) ?? []
  if (number === undefined) return /\d/.test(now) || /\s/.test(now) ? null : respelt(fact, now)
  const noun = /^(?<noun>\p{L}+)\.? /u.exec(now)?.groups?.['noun']?.toLowerCase()
  const found = [...fact.matchAll(NUMBER)]
  const behind = found.filter(({ index }) =>
    fact.slice(0, index).toLowerCase().trimEnd().endsWith(` ${noun}`),
  )
  const [only, ...others] = behind.length === 1 ? behind : found
  // Of another thing than the fact has: "no, in 14 days".
  if (only === undefined || others.length + more.length > 0 || (noun !== undefined && behind.length !== 1))
    return null
  const [unit, old] = [now, fact.slice(only.index)].map(
    (text) => /\d (?<unit>\p{L}+)/u.exec(text)?.groups?.['unit'],
  )
  if (unit !== undefined && unit.toLowerCase() !== old?.toLowerCase()) return null
  return `${fact.slice(0, only.index)}${number}${fact.slice(only.index + only[0].length)}`
}

function respelt(fact: string, now: string): string | null {
  const isNear = (word: string): boolean => {
    const [one, other] = [word.toLowerCase(), now.toLowerCase()]
    const least = Math.max(3, Math.min(one.length, other.length) - 1)
    return (
      one !== other &&
      Math.abs(one.length - other.length) <= 2 &&
      one.slice(0, least) === other.slice(0, least)
    )
  }
  const near = [...fact.matchAll(/\p{L}+/gu)].filter(([word]) => isNear(word))
  const [only, ...others] = near
  if (only === undefined || others.length > 0) return null
  const isNamed = /^\p{Lu}/u.test(only[0])
  const as = isNamed ? `${now.slice(0, 1).toUpperCase()}${now.slice(1)}` : now
  return `${fact.slice(0, only.index)}${as}${fact.slice(only.index + only[0].length)}`
}
