/**
 * Applies a sentence of the owner's to a remembered fact: "it was the dog, not the cat",
 * "change the cat to a dog", "das stimmt nicht, der Schlüssel hängt jetzt bei Herrn Wilke".
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

/** Whether the message is such a sentence, for any fact. */
export function isCorrection(said: string): boolean {
  return said.length <= MOST && (ANEW.test(said.trim()) || SWAPS.some((pattern) => pattern.test(said.trim())))
}

/** The corrected fact; null if the sentence names nothing that occurs exactly once in it. */
export function reworded(fact: string, said: string): string | null {
  if (!isCorrection(said)) return null
  for (const pattern of SWAPS) {
    const { was, now } = pattern.exec(said.trim())?.groups ?? {}
    const swapped = was === undefined || now === undefined ? null : swappedIn(fact, was.trim(), now.trim())
    if (swapped !== null) return swapped
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
