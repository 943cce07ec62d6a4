/**
 * Recognises the bare question why something is asked: "why?", "warum fragst du?". A "why" about anything else is left to other
 * matchers. Must not answer. Called by home-talk.ts.
 */
import { test } from '../../flow/labeled.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { MOST, plainCore } from './recognise-end.ts'

const LEADS = '(?:(?:and|but|so|ok|okay|hm+|wait|und|aber|ja|na|moment)[ ,]+)*'
const WHY = new RegExp(
  `^${LEADS}(?:(?:why|how come|what for|wieso|warum|weshalb|wofür|wozu)(?: (?:that|so|not|is that|(?:do|did|are|must|should) (?:you|i) (?:ask|asking|asked|want|wanting|need|answer|confirm|say yes)(?: (?:me|that|this|to know))*|exactly|das|denn|denn das|eigentlich|ist das so|(?:fragst|willst|brauchst|musst) du(?: mich| das| denn| da| überhaupt| schon wieder| eigentlich)*(?: fragen| wissen)?|muss ich(?: das| da| denn)*(?: bestätigen| freigeben)?))*|(?:what are you asking|what do you ask me)(?: that| this)? for|why the (?:question|card)|warum die (?:frage|karte))[\\s?.!]*$`,
  'iu',
)

/** Null for any other message. */
export async function recogniseWhy(
  powers: SealedReading,
  { principal, words, quoted, attached, typed }: Task,
): Promise<MeantOperation | null> {
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  const asks = said.ok && test(said.value, (text) => text.length <= MOST && WHY.test(plainCore(text)))
  return asks ? { operation: 'approvals.why', args: {}, named: null } : null
}
