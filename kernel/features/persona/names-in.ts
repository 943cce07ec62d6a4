/**
 * Reads names from a message: the owner's ("my name is Nora", "ich heiße Nora") and the assistant's ("call
 * yourself Jeeves", "du heißt ab jetzt Jeeves"), and the wanted style. A message with anything else yields
 * nothing. Pure. Called by own-commands.ts, persona.set and the first questions.
 */
import { plainRequest } from '../../operations/plain-request.ts'
import { styleIn } from './style-in.ts'

export interface GivenNames {
  readonly owner: string | null
  readonly assistant: string | null
  /** How the assistant is to speak, in the owner's words. */
  readonly style: string | null
}

/** Maximum UTF-16 units; a sentence that gives a name is short. */
const MOST = 120
const MOST_CLAUSES = 3

const WORD = "\\p{L}[\\p{L}\\p{N}'’._-]{0,38}"
const NAME = `["“„]?(?<name>${WORD}(?: ${WORD}){0,2}?)["”“]?`
const FROM_NOW =
  '(?: (?:from now on|from today on|now|then|instead|please|again|ab jetzt|ab sofort|ab heute|von jetzt an|von nun an|jetzt|künftig|in zukunft|bitte|einfach|also|mal))*'

interface Way {
  readonly whose: 'owner' | 'assistant'
  readonly says: RegExp
  /** A name in lower case is accepted as well. */
  readonly plain: boolean
}

const way = (whose: Way['whose'], says: string, plain = true): Way => ({
  whose,
  says: new RegExp(`^${says}[\\s.!]*$`, 'iu'),
  plain,
})

const WAYS: readonly Way[] = [
  way(
    'owner',
    `(?:my name is|my name's|my names|i am called|i'm called|i go by)${FROM_NOW} ${NAME}${FROM_NOW}`,
  ),
  way('owner', `(?:you (?:can|may|should) )?(?:call|address) me(?: as)?${FROM_NOW} ${NAME}${FROM_NOW}`),
  way('owner', `(?:ich hei(?:ß|ss)e|mein name ist|mein name lautet)${FROM_NOW} ${NAME}${FROM_NOW}`),
  way('owner', `nenne? mich${FROM_NOW} ${NAME}${FROM_NOW}`),
  way('owner', `(?:du|sie) (?:kannst|können|darfst|dürfen|sollst|sollen) mich${FROM_NOW} ${NAME} nennen`),
  way('owner', `sage? ${NAME} zu mir`),
  way('owner', `(?:i'm|im|i am) ${NAME}`, false),
  way('owner', `ich bin (?:der|die) ${NAME}`, false),
  way(
    'assistant',
    `(?:your|ur) (?:new )?name (?:is|shall be|should be|will be)${FROM_NOW} ${NAME}${FROM_NOW}`,
  ),
  way('assistant', `(?:you are|you're) called${FROM_NOW} ${NAME}${FROM_NOW}`),
  way('assistant', `(?:call|name|rename) yourself(?: to| as)?${FROM_NOW} ${NAME}${FROM_NOW}`),
  way(
    'assistant',
    `(?:i will|i'll|i want to|i'd like to|i would like to|let me) (?:call|name) you${FROM_NOW} ${NAME}${FROM_NOW}`,
  ),
  way('assistant', `(?:can|may|could) i call you ${NAME}${FROM_NOW}\\??`),
  way('assistant', `(?:you are|you're) (?:from now on|now) ${NAME}`, false),
  way(
    'assistant',
    `(?:from now on|ab jetzt|ab sofort|von jetzt an) (?:you are|you're|your name is|hei(?:ß|ss)t du|bist du) ${NAME}`,
  ),
  way('assistant', `du hei(?:ß|ss)t${FROM_NOW} ${NAME}${FROM_NOW}`),
  way('assistant', `dein(?: neuer)? name (?:ist|lautet|sei)${FROM_NOW} ${NAME}${FROM_NOW}`),
  way('assistant', `du sollst${FROM_NOW} ${NAME} hei(?:ß|ss)en`),
  way('assistant', `nenne? dich${FROM_NOW} ${NAME}${FROM_NOW}`),
  way('assistant', `ich (?:nenne?|werde) dich${FROM_NOW} ${NAME}(?: nennen)?`),
  way('assistant', `(?:kann|darf) ich dich ${NAME} nennen\\??`),
]

/** After a greeting, "ich bin Nora" introduces somebody; alone, it may say what somebody is. */
const INTRODUCED = new RegExp(`^(?:i am|i'm|ich bin|hier ist|this is) ${NAME}[\\s.!]*$`, 'iu')

/** Words that follow such a phrase and are no name. */
const NO_NAME: ReadonlySet<string> = new Set(
  (
    'back later tomorrow today tonight now soon again when if at on in after before a an the this that these my your our his her their it up out off maybe sometime ' +
    'anytime every day always never at once asap whenever not no yes ok okay so too what who how why me you him them us and or but for from with about to by as is are was ' +
    'monday tuesday wednesday thursday friday saturday sunday am pm old fine good well bad great funny nice cool weird stupid silly strange wrong right ugly beautiful ' +
    'late here home ready done sorry tired busy hungry sick ill lost free sure glad happy sad afraid interested going looking trying wondering having getting ' +
    'morgen heute später spaeter gleich wieder zurück an um wenn am im bitte mal ein eine einen einer der die das den dem nicht kein keine so was wie wer warum mich dich mir dir ' +
    'sie du er es wir ihr und oder aber für von mit zu auf aus bei nach schön lustig doof komisch gut falsch blöd müde krank fertig spät da hier montag dienstag mittwoch ' +
    'donnerstag freitag samstag sonntag anders egal unbekannt unwichtig'
  ).split(' '),
)
/** Words for what somebody is; they may be capitalised like a name. */
const WHAT_ONE_IS =
  /^(?:german|english|american|british|french|italian|spanish|swiss|austrian|dutch|irish|scottish|polish|turkish|indian|chinese|japanese|catholic|muslim|jewish|christian ?s?|vegan|vegetarian|it|hr|ceo|cto|cfo|chef|lehrer\p{L}*|arzt|ärztin|rentner\p{L}*|student\p{L}*|vegetarier\p{L}*|veganer\p{L}*|deutsche?r?|boss|besitzer\p{L}*|owner|user|admin)$/iu

/** Null for any other message, and if a part of it gives no name. */
export function namesIn(message: string): GivenNames | null {
  const text = message.trim().replaceAll('’', "'").replace(/\s+/g, ' ')
  if (text === '' || text.length > MOST) return null
  const clauses = text.split(
    /(?<=[.!;])\s+|,? (?:and|und|but|aber) (?=(?:please |bitte )?(?:a (?:bit|little) |ein (?:bisschen|wenig) |etwas |more |mehr |be |sei |answer |antworte |keep |fass ))|,? (?:and|und) (?=(?:\p{L}+ ){0,2}(?:you|your|yourself|me|name|mich|dich|dein\p{L}*|du|ich)(?!\p{L}))/iu,
  )
  if (clauses.length > MOST_CLAUSES) return null
  let given: GivenNames = { owner: null, assistant: null, style: null }
  for (const clause of clauses) {
    if (GREETING.test(clause)) continue
    const one = nameIn(clause)
    const style = one === null ? styleIn(clause, { beside: isNamed(given) }) : null
    if (one === null ? style === null || given.style !== null : given[one.whose] !== null) return null
    given = one === null ? { ...given, style } : { ...given, [one.whose]: one.name }
  }
  return isNamed(given) || given.style !== null ? given : null
}

function isNamed({ owner, assistant }: GivenNames): boolean {
  return owner !== null || assistant !== null
}

const GREETING =
  /^(?:hi|hello|hey|hallo|moin|servus|good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend))(?: there| du| zusammen)?[.!,]*$/i

function nameIn(clause: string): { readonly whose: Way['whose']; readonly name: string } | null {
  const plain = plainRequest(clause).text
  for (const { whose, says, plain: isPlain } of WAYS) {
    const name = (says.exec(clause) ?? says.exec(plain))?.groups?.['name']
    const one = name === undefined ? null : asName(name, isPlain)
    if (one !== null) return { whose, name: one }
  }
  const name = plain === clause ? undefined : INTRODUCED.exec(plain)?.groups?.['name']
  const one = name === undefined ? null : asName(name, false)
  return one === null ? null : { whose: 'owner', name: one }
}

/** Particles between the parts of a person's name. */
const PARTICLE = /^(?:de|da|di|du|del|della|von|van|vom|zu|zur|der|den|la|le|el|al|bin|ibn|dos|das)$/i

/** The name as it is typed; in lower case only if `plain` allows it. */
function asName(typed: string, plain: boolean): string | null {
  const words = typed.split(' ')
  const isOne = words.every((word, at) => {
    if (at > 0 && at < words.length - 1 && PARTICLE.test(word)) return true
    return !NO_NAME.has(word.toLowerCase()) && !WHAT_ONE_IS.test(word) && (plain || /^\p{Lu}/u.test(word))
  })
  // Several words in lower case are more than a name.
  if (!isOne || (words.length > 1 && !words.every((word) => /^\p{Lu}/u.test(word) || PARTICLE.test(word))))
    return null
  return typed.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()).replace(/[._-]+$/, '')
}
