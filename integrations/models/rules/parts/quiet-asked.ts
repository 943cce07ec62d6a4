/**
 * Quiet hours that are asked for in English in a free order of words, and quiet for a night in both languages, each as a
 * plain sentence of it: "quiet from 9pm to 7am", "don't bother me tonight". Only where the whole message is read. Pure; must
 * not be bundled for the edge. Called by home.ts.
 */
import type { SaidPlainly } from '../../../../kernel/powers/tier-port.ts'
import { hasLines } from '../../../extractors/message/message-spoken.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 120

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const CLOCK = `(?:\\d{1,2}(?:[:.][0-5]\\d)?(?: ?[ap]\\.?m\\.?(?!\\p{L}))?|${WORDS.slice(1).join('|')}|midnight|noon)(?: o['’]?clock)?`
const PART = '(?: (?:at night|in the (?:evening|morning)|tonight))?'
const BETWEEN = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:from|between|after|past|at) )?(?<from>${CLOCK})(?<early>${PART})(?<between>(?: \\p{L}+){0,6}?) ?(?:to|until|till|til|and|-|–) ?(?:at )?(?<to>${CLOCK})(?<late>${PART})(?![\\p{L}\\d:])`,
  'iu',
)
const AFTER = new RegExp(
  `(?<![\\p{L}\\d])(?:from|after|past) (?<from>${CLOCK})(?<early>${PART})(?: on(?:wards)?)?(?![\\p{L}\\d:])`,
  'iu',
)
const NIGHT =
  /(?<!\p{L})(?:tonight|this night|through the night|(?:heute|diese|die) nacht|über nacht)(?!\p{L})/iu
/** When a night is over where no end is said. */
const MORNING = '7:00'

/** Words that say nothing more beside a wish for quiet. */
const BESIDE =
  /^(?:please|pls|just|now|on|every|each|day|night|nights|evening|evenings|always|the|a|my|your|be|to|me|i|want|need|like|d|some|set|make|have|put|keep|give|it|stay|go|no|not|never|dont|don|t|do|can|could|would|you|at|in|from|for|of|and|so|ok|okay|any|more|messages?|pings?|notifications?|alerts?|disturb|bother|bug|ping|message|contact|text|write|wake|quiet|hours?|time|silence|silent|peace|alone|leave|with|bitte|mal|doch|mich|mir|störe?|schreibe?|melde?|weck|dich|nicht|nich|in|ruhe?|lass|keine?|nachrichten|meldungen|will|möchte|brauche?|ich|jetzt|also|und)$/iu
const WISHES: readonly RegExp[] = [
  /(?<!\p{L})(?:don t|dont|do not|never|not)(?!\p{L})(?: \p{L}+){0,2}? (?:disturb|bother|bug|ping|message|contact|text|write|wake)(?!\p{L})/iu,
  /(?<!\p{L})leave me (?:alone|in peace)(?!\p{L})/iu,
  /(?<!\p{L})(?:quiet|silence|silent|peace|no (?:messages|pings|notifications|alerts))(?!\p{L})/iu,
  /(?<!\p{L})(?:störe?|schreibe?|melde?|weck)(?!\p{L}).*(?<!\p{L})nich?t?(?!\p{L})/iu,
  /(?<!\p{L})lass(?:t)? mich(?!\p{L}).*(?<!\p{L})ruhe?(?!\p{L})|(?<!\p{L})keine (?:nachrichten|meldungen)(?!\p{L})/iu,
  /(?<!\p{L})(?:ich (?:will|möchte|brauche?)|bitte) (?:\p{L}+ ){0,3}ruhe(?!\p{L})/iu,
]
/** It is asked, or is no longer wanted. */
const NO_WISH =
  /\?\s*$|^(?:when|what|how|who|where|why|is|are|was|did|does|wann|was|wie|wer|wo|warum)(?!\p{L})|(?<!\p{L})(?:no (?:more )?(?:quiet|silence)|not (?:quiet|silent)|stop|end|off|cancel)(?!\p{L})/iu

/** The operation with a sentence of it; null for any other message. */
export function quietAsked(typed: string): SaidPlainly | null {
  const text = typed.trim().replace(/\s+/g, ' ').replaceAll('’', "'")
  if (hasLines(typed) || text.length > LONGEST || NO_WISH.test(text) || /["“”„;@:]\s/u.test(text)) return null
  const say = (sentence: string): SaidPlainly => ({ operation: 'quiet.set', sentence, whole: true })
  const both = BETWEEN.exec(text)
  if (both !== null && isWish(text, both)) {
    const { from = '', to = '', early = '', late = '' } = both.groups ?? {}
    const [start, end] = [clockOf(from, early, text), clockOf(to, late, '')]
    return say(`no messages between ${start} and ${end}`)
  }
  const after = both === null ? AFTER.exec(text) : null
  if (after !== null && isWish(text, after)) {
    const { from = '', early = '' } = after.groups ?? {}
    return say(`no messages between ${clockOf(from, early, text)} and ${MORNING}`)
  }
  const night = both === null && after === null ? NIGHT.exec(text) : null
  return night !== null && isWish(text, night) ? say(`leave me alone until tomorrow at ${MORNING}`) : null
}

function isWish(text: string, found: RegExpExecArray): boolean {
  const { between = '' } = found.groups ?? {}
  const rest = `${text.slice(0, found.index)} ${between} ${text.slice(found.index + found[0].length)}`
  const words = rest.match(/[\p{L}\d]+/gu) ?? []
  return words.every((word) => BESIDE.test(word)) && WISHES.some((wish) => wish.test(words.join(' ')))
}

/** `part`: the half of the day behind it; `text`: words that make an hour of the evening likely. */
function clockOf(said: string, part: string, text: string): string {
  const word = said
    .toLowerCase()
    .replace(/ ?o['’]?clock$/u, '')
    .replaceAll('.', ':')
    .trim()
  if (word === 'midnight') return '0:00'
  if (word === 'noon') return '12:00'
  const at = WORDS.indexOf(word)
  const clock = at > 0 ? String(at) : word
  const isEvening =
    /evening|night/iu.test(part) || /(?<!\p{L})(?:evenings?|nights?|tonight)(?!\p{L})/iu.test(text)
  const hour = Number.parseInt(clock, 10)
  if (/[ap]:?m/u.test(clock)) return clock.replace(/ ?([ap]):?m:?$/u, '$1m')
  return isEvening && hour >= 6 && hour < 12 ? `${hour + 12}${clock.replace(/^\d+/u, '')}` : clock
}
