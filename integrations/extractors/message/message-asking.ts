/**
 * A question that is to be put to somebody in German, as it is written to them: "frag Tom, ob er morgen Zeit hat" is "schreib
 * Tom: Hast du morgen Zeit?". Only where each word of it is sure; pure, and not bundled for the edge. Called by home's planner.
 */
import { thirdPersonOf } from './message-given.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 200
const ASKS =
  /^(?:(?:bitte|und|kannst du|könntest du|kannste|würdest du)[\s,]+)*(?:frag|frage|fragst|schreib|schreibe)e?(?: (?:bitte|mal|doch|kurz))* (?<whom>(?!(?:mich|mir|dich|sie|ihn|ihm|ihr|uns|alle|die|der|den|das|meine?n?|unsere?n?|eine?n?|nach|in|im)(?!\p{L}))\p{L}[\p{L}.-]*(?: \p{Lu}[\p{L}-]+)?)(?: (?:bitte|mal|doch|kurz))*,? (?<what>ob|wie (?:lange?|spät|oft)|wann|wo|wie|was|warum|welche[nrsm]? \p{L}+) (?<rest>\S.*?)[\s.?!]*$/isu
/** "Frag Tom nach …" asks in another way; what hangs on a condition, or is of several, is not turned. */
const MORE = /[,;:"“”„?!]|(?<!\p{L})(?:und|oder|wenn|falls|weil|dass|damit|sondern)(?!\p{L})/iu

/** By the third person: the second. */
const OF_YOU: Readonly<Record<string, string>> = {
  ...{ ist: 'bist', war: 'warst', hat: 'hast', hatte: 'hattest', wird: 'wirst', würde: 'würdest' },
  ...{
    kann: 'kannst',
    könnte: 'könntest',
    will: 'willst',
    möchte: 'möchtest',
    muss: 'musst',
    soll: 'sollst',
  },
  ...{ darf: 'darfst', mag: 'magst', weiß: 'weißt', kommt: 'kommst', geht: 'gehst', macht: 'machst' },
  ...{ braucht: 'brauchst', bringt: 'bringst', nimmt: 'nimmst', fährt: 'fährst', schafft: 'schaffst' },
  ...{
    schickt: 'schickst',
    kauft: 'kaufst',
    findet: 'findest',
    bleibt: 'bleibst',
    holt: 'holst',
    denkt: 'denkst',
  },
  ...{
    arbeitet: 'arbeitest',
    wohnt: 'wohnst',
    heißt: 'heißt',
    liest: 'liest',
    isst: 'isst',
    sieht: 'siehst',
  },
}
/** Ends a clause of us or of a thing. */
const OTHERS =
  /^(?:ist|sind|war|waren|hat|haben|wird|werden|kann|können|könnten|muss|müssen|soll|sollen|sollten|dürfen|passt|passen|geht|klappt|kostet|liegt|steht|beginnt|dauert|reicht|gibt|stimmt|fehlt)$/u
const WE = /^(?:wir|ich)$/iu
const THING = /^(?:es|das|die|der|dem|den)$/iu

/** Null for any other message, and where a word of it may be of somebody else. */
export function askingOf(typed: string): string | null {
  const text = typed.trim()
  const { whom = '', what = '', rest = '' } = text.length > LONGEST ? {} : (ASKS.exec(text)?.groups ?? {})
  if (whom === '' || MORE.test(rest)) return null
  const words = rest.split(/\s+/)
  const [subject = '', ...behind] = words
  const verb = behind.pop() ?? ''
  if (verb === '') return null
  const clause = subjectAndVerb({ whom, subject, verb, behind })
  if (clause === null) return null
  const question = /^ob$/iu.test(what) ? clause : [what.toLowerCase(), ...clause]
  const said = question.join(' ')
  return `schreib ${whom}: ${said.charAt(0).toUpperCase()}${said.slice(1)}?`
}

interface Clause {
  readonly whom: string
  readonly subject: string
  readonly verb: string
  readonly behind: readonly string[]
}

/** The verb, who or what it is of, and the rest. */
function subjectAndVerb({ whom, subject, verb, behind }: Clause): readonly string[] | null {
  const isOther = behind.some((word) =>
    /^(?:er|sie|ihr\p{L}*|ihm|ihn|sein\p{L}*|sich|du|dein\p{L}*)$/iu.test(word),
  )
  if (isOther) return null
  if (/^(?:er|sie)$/iu.test(subject)) {
    const own = Object.hasOwn(OF_YOU, verb) ? OF_YOU[verb] : undefined
    const asked = own === undefined ? null : thirdPersonOf(whom)
    // Of Tom, "sie" is somebody else; of one who is not known it may be either.
    if (own === undefined || asked === null) return null
    return asked === subject.toLowerCase() ? [own, 'du', ...behind] : [verb, subject.toLowerCase(), ...behind]
  }
  if (WE.test(subject)) {
    const isMine = /^(?:bin|war|habe|hab|hatte|werde|kann|könnte|muss|soll|sollte|darf|dürfte)$/u
    return (/^ich$/iu.test(subject) ? isMine : /n$/u).test(verb)
      ? [verb, subject.toLowerCase(), ...behind]
      : null
  }
  if (!OTHERS.test(verb) || !THING.test(subject)) return null
  return [verb, subject.toLowerCase(), ...behind]
}
