/**
 * Recognises a question about something that the owner told: two of its significant words, by their stems, occur in one fact in
 * the owner's own words. Returns no fact; `memory.search` finds what is shown. Called by plan.ts, before words are sent to a
 * search engine, and if nothing was understood.
 */
import { combine, derive, test } from '../../flow/labeled.ts'
import { fitsTask, sessionsOf } from '../../model-call/read-through.ts'
import type { Clock, PolicySource } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { IdentityLinkStore, StoreOf } from '../../powers/stores.ts'
import { entryText } from '../../task/fact-entry.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { openEntry } from './fact.ts'
import { type FactFinding, findFacts } from './fact-index.ts'
import { indexWords } from './telling-words.ts'

/** Maximum UTF-16 units of such a question, and maximum facts of one label that are opened for it. */
const MOST = 200
const MOST_FACTS = 16
/** Minimum significant words that must occur in one fact. */
const LEAST = 2
const ASKS =
  /^(?:(?:and|und|so|ok|hey|hi|sag mal|please|bitte)[, ]+)*(?:(?:bei|mit|von|für|an|in|auf|zu|bis|seit|ab|to|for|with|at|until|till|by|from|since|on|in) )?(?:what|whats|when|where|who|whose|which|why|how|can|may|does|do|is|are|was|wann|wo|woher|wohin|wer|wem|wen|wessen|wie|warum|wieso|weshalb|welche\p{L}*|worin|womit|worauf|darf|hat|ist)(?!\p{L})/iu
/** Words that ask to search elsewhere, or in data other than memory. */
const ELSEWHERE =
  /(?<!\p{L})(?:web|online|internet|google|net|netz|such\p{L}*|search\p{L}*|look up|news|weather|wetter|calendar|kalender|mails?|e-?mails?|post|inbox|appointments?|termine?)(?!\p{L})/iu
/** Words that occur in many sentences and name no topic by themselves. */
const WEAK: ReadonlySet<string> = new Set(
  indexWords(
    'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag today tomorrow morning evening heute morgen abend mrs miss herr frau doctor day week month year time tag woche monat jahr uhr zeit thing things people person going gibt geht macht machen haben there',
  ),
)

type RememberingPorts = FactFinding & Clock & PolicySource & SealedReading & StoreOf<IdentityLinkStore>

/** Length of the question in UTF-16 units; null if the message is no such question, or no fact is about it. */
export async function rememberedQuestion(powers: RememberingPorts, task: Task): Promise<number | null> {
  const { principal, words, quoted, attached } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  const said = isPlain && principal === OWNER_PRINCIPAL ? await openTextOf(powers, words) : null
  if (said?.ok !== true) return null
  const { value } = said
  const isAsked = test(
    value,
    (text) => text.length <= MOST && ASKS.test(text.trim()) && !ELSEWHERE.test(text),
  )
  if (!isAsked) return null
  const asked = combine([value], ([text]) => ({ words: [...telling(String(text))], span: null }))
  if (test(asked, (question) => question.words.length < LEAST)) return null
  const may = fitsTask(powers, task)
  for (const session of sessionsOf(powers, task))
    for (const { fact } of await findFacts(
      powers,
      { principal: session.principal, may: (label) => session.may(label) && may(label) },
      { asked, most: MOST_FACTS },
    )) {
      const entry = fact.ref.taint.level === 'clean' ? await openEntry(powers, fact) : null
      if (entry?.ok !== true) continue
      const told = derive(entry.value, entryText)
      const isAbout = combine([value, told], ([text, one]) => {
        const own = new Set(indexWords(String(one)))
        return telling(String(text)).filter((word) => own.has(word)).length >= LEAST
      })
      if (test(isAbout, Boolean)) return lengthOf((count) => test(value, (text) => text.length === count))
    }
  return null
}

function telling(text: string): readonly string[] {
  return indexWords(text).filter((word) => !WEAK.has(word))
}

function lengthOf(is: (count: number) => boolean): number | null {
  const at = Array.from({ length: MOST }, (_, index) => index + 1).find(is)
  return at ?? null
}
