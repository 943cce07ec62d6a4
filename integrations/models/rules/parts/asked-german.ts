/**
 * Operations that are asked for in German in a free order of words, each as a plain sentence of it: "nach 22 uhr keine
 * nachrichten mehr", "stell den Wecker aus". Only where the whole message is read. Pure; must not be bundled for the edge.
 * Called by home.ts.
 */
import type { SaidPlainly } from '../../../../kernel/powers/tier-port.ts'
import { hasLines } from '../../../extractors/message/message-spoken.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 160

const NUMBERS = 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')
const HOUR =
  '(?:\\d{1,2}(?:[:.][0-5]\\d)?|halb (?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\\d{1,2})|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|mitternacht)'
const CLOCK = `${HOUR}(?: ?uhr)?`
const PART = '(?: (?:morgens|früh|in der früh|abends|nachts|mittags))?'
/** Its two times, also apart: "nach 21 Uhr in Ruhe bis 7". */
const HOURS: readonly RegExp[] = [
  new RegExp(
    `(?<!\\p{L})(?:von|zwischen|ab|nach) (?:nachts |abends |um )?(?<from>${CLOCK})${PART},? (?:und|bis(?: um)?) (?<to>${CLOCK})${PART}(?![\\p{L}\\d:.-])`,
    'iu',
  ),
  /(?<![\p{L}\d.:])(?<from>\d{1,2}(?:[:.][0-5]\d)?) ?(?:-|–|bis) ?(?<to>\d{1,2}(?:[:.][0-5]\d)?)(?: ?uhr)?(?![\p{L}\d:.-])/iu,
  new RegExp(
    `(?<!\\p{L})(?:ab|nach|von) (?<from>${CLOCK})(?<between>(?: \\p{L}+){1,6}?),? bis (?:um )?(?<to>${CLOCK})${PART}(?![\\p{L}\\d:.-])`,
    'iu',
  ),
]
const LENGTH =
  /(?<!\p{L})(?:für |die nächsten? )?(?<length>(?:\d{1,3}|eine halbe|ne halbe|eine?|ne|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|fünfzehn|zwanzig|dreißig) ?(?:stunden?|std\.?|h|minuten?|min\.?|tage?))(?: lang)?(?!\p{L})/iu
const UNTIL = new RegExp(
  `(?<!\\p{L})bis (?<until>(?:heute?|morgen|übermorgen|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(?: (?:früh|abend|mittag|nachmittag|vormittag))?(?:(?: um)? ${CLOCK})?|(?:um )?${CLOCK})(?![\\p{L}\\d:.-])`,
  'iu',
)

/** Words that say nothing more beside a wish for quiet. */
const BESIDE =
  /^(?:mi|di|i|ruh|schlaf|bitte|mal|ma|doch|jetzt|ab|sofort|künftig|zukunft|immer|jede|jeden|nacht|tag|abend|nachts|abends|morgens|früh|gern|gerne|eigentlich|denn|so|einfach|wieder|mich|mir|ich|da|dann|auch|generell|grundsätzlich|heute?|mehr|meine|etwas|haben|werden|sein|am|in|der|die|von|dir|du|und|ok|okay|also|lang|nur|zeit|ist|sind|soll|es|kannst|könntest|würdest|hätte|setz|stell|mach|richte?|ein|auf|uhr|nach|kommen|schicken|schick|schicke|gib|gibt|lass|lasst|stör|störe|stören|störst|gestört|nicht|nich|nie|keine?|ruhe|ruhig|ruhezeit|ruhezeiten|nachtruhe|stille|still|leise|ungestört|zufrieden|schlafen|schlafe|nachrichten|meldungen|mitteilungen|benachrichtigungen|störungen|störung|anpingen|schreiben|schreib|melden|meld|dich|sei|will|möchte|moechte|brauche?|muss)$/iu
/** The wish itself, in any order. */
const WISHES: readonly RegExp[] = [
  /(?<!\p{L})(?:stör|störe|stören|störst|anpingen|schreiben|schreib|melden|meld)(?!\p{L}).*(?<!\p{L})(?:nicht|nich|nie)(?!\p{L})|(?<!\p{L})(?:nicht|nich|nie)(?!\p{L}).*(?<!\p{L})(?:stören|gestört|anpingen|schreiben|melden)(?!\p{L})/iu,
  /(?<!\p{L})lass(?:t)? mi(?:ch)?(?!\p{L}).*(?<!\p{L})(?:ruhe?|zufrieden|schlafen)(?!\p{L})/iu,
  /(?<!\p{L})(?:will|möchte|moechte|brauche?|hätte)(?!\p{L}).*(?<!\p{L})(?:ruhe?|ungestört)(?!\p{L})/iu,
  /(?<!\p{L})keine (?:nachrichten|meldungen|mitteilungen|benachrichtigungen|störung(?:en)?)(?!\p{L})/iu,
  /^\W*(?:(?:bitte|ab|nachts|mach|setz|stell|richte?)\s+)*(?:die |meine )?(?:ruhe|ruhezeit(?:en)?|nachtruhe|stille)(?!\p{L})|(?<!\p{L})(?:ruhe|ruhezeit|nachtruhe)(?: bitte)?\W*$/iu,
  /(?<!\p{L})sei(?!\p{L}).*(?<!\p{L})(?:still|ruhig|leise)(?!\p{L})/iu,
]
/** It is asked, or is no longer wanted. */
const NO_WISH =
  /\?\s*$|^(?:wann|was|wie|wer|wo|warum)(?!\p{L})|(?<!\p{L})(?:keine? (?:ruhe|nachtruhe|ruhezeit)|nicht (?:in ruhe|still|leise|mehr in ruhe)|ruhe (?:nicht|ist vorbei))/iu

function clockOf(said: string): string {
  const word = said
    .toLowerCase()
    .replace(/ ?uhr$/, '')
    .replace('.', ':')
    .trim()
  const half = /^halb (?<hour>.+)$/.exec(word)?.groups?.['hour']
  if (half !== undefined) return `${Number(clockOf(half)) - 1}:30`
  const at = NUMBERS.indexOf(word)
  return word === 'mitternacht' ? '0' : at > 0 ? String(at) : word
}

/** The hour of an evening, where the other one is of a morning: "zwischen zehn und sieben" at night. */
function ofNight(from: string, to: string, text: string): string {
  const [start, end] = [Number.parseFloat(from), Number.parseFloat(to)]
  const isNight = /(?<!\p{L})(?:nacht\p{L}*|abend\p{L}*|schlaf\p{L}*)(?!\p{L})/iu.test(text)
  if (!isNight || start > 12 || start < 7 || end > 12 || from.includes(':')) return from
  return start === 12 ? '0' : String(start + 12)
}

/** Quiet hours, or quiet for a while: a time, a wish, and no word beside them that could say more. */
function quietIn(text: string): SaidPlainly | null {
  if (NO_WISH.test(text)) return null
  const say = (sentence: string): SaidPlainly => ({ operation: 'quiet.set', sentence, whole: true })
  const isWish = (found: RegExpExecArray): boolean => {
    const { between = '' } = found.groups ?? {}
    const rest = `${text.slice(0, found.index)} ${between} ${text.slice(found.index + found[0].length)}`
    const words = rest.match(/[\p{L}\d]+/gu) ?? []
    const plain = words.join(' ')
    return words.every((word) => BESIDE.test(word)) && WISHES.some((wish) => wish.test(plain))
  }
  for (const pattern of HOURS) {
    const found = pattern.exec(text)
    const { from, to } = found?.groups ?? {}
    if (found === null || from === undefined || to === undefined || !isWish(found)) continue
    const [start, end] = [clockOf(from), clockOf(to)]
    return say(`stör mich nicht zwischen ${ofNight(start, end, text)} und ${end}`)
  }
  const until = UNTIL.exec(text)
  if (until !== null && isWish(until)) {
    const when = (until.groups?.['until'] ?? '').replace(/^heut(?!e)/iu, 'heute').replace(/^um /iu, '')
    return say(`lass mich bis ${when} in ruhe`)
  }
  const length = until === null ? LENGTH.exec(text) : null
  if (length === null || !isWish(length)) return null
  return say(`stör mich nicht für ${lengthOf(length.groups?.['length'] ?? '')}`)
}

function lengthOf(said: string): string {
  const unit = /(?:std|stund|h$|h\.?$)/iu.test(said) ? 'Stunden' : /min/iu.test(said) ? 'Minuten' : 'Tage'
  const word = said.toLowerCase().replace(/ ?(?:stunden?|std\.?|h|minuten?|min|tage?)$/u, '')
  if (/halbe/.test(word)) return '30 Minuten'
  const more: Readonly<Record<string, number>> = {
    ein: 1,
    eine: 1,
    ne: 1,
    fünfzehn: 15,
    zwanzig: 20,
    dreißig: 30,
  }
  const at = more[word] ?? NUMBERS.indexOf(word)
  return `${at > 0 ? at : word} ${unit}`
}

const whole = (source: string): RegExp =>
  new RegExp(
    `^(?:(?:und|ok|okay|so|also|bitte|sag mal|du)[\\s,]+)*(?:${source})(?:[\\s,]+(?:bitte|mal|denn|eigentlich|jetzt|gerade|grad|so|hier|noch|da|alles))*[\\s.!?]*$`,
    'iu',
  )

/** Each with a sentence of it. */
const ASKED: readonly (readonly [RegExp, operation: string, sentence: string])[] = [
  [
    whole(
      '(?:wann|wie|von wann bis wann|ab wann) (?:hast du|ist bei dir|habe? ich|ist|sind|gilt|gelten)(?: (?:meine|die|deine|eigentlich|denn))* (?:ruhe|ruhezeit(?:en)?|nachtruhe|stille)(?: eingestellt)?|(?:habe? ich|gibt es|sind)(?: gerade)? (?:eine |meine |die )?ruhezeit(?:en)?(?: eingestellt| an| aktiv)?|zeig(?:e)?(?: mir)?(?: mal)? (?:meine |die )?ruhezeit(?:en)?',
    ),
    'quiet.show',
    'wann sind meine ruhezeiten',
  ],
  [
    whole(
      '(?:meld(?:e)? dich|du (?:kannst|darfst)(?: (?:dich|mir|mich))?|(?:kannst|darfst) du(?: (?:dich|mir|mich))?)(?: (?:jetzt|bitte|mal|nun|ruhig))* wieder(?: (?:ganz|wie))*(?: normal| stören| schreiben| melden| sonst)*|(?:die )?(?:ruhe|ruhezeit|nachtruhe) ist (?:vorbei|aus|zu ende|beendet)|(?:schluss|genug) mit (?:der )?(?:ruhe|ruhezeit)|(?:mach|schalt|stell|heb|nimm)e? (?:die |meine )?(?:ruhe|ruhezeit(?:en)?|nachtruhe)(?: wieder)? (?:aus|ab|auf|weg)',
    ),
    'quiet.end',
    'du darfst mich wieder stören',
  ],
  [
    whole(
      '(?:was|habe? ich was|habe? ich etwas|habe? ich (?:heute|gestern) (?:was|etwas))(?: (?:habe?|hab) ich)?(?: (?:denn|heute|gestern|alles|so|in der zwischenzeit|inzwischen|seit gestern))* verpasst',
    ),
    'quiet.missed',
    'was habe ich verpasst',
  ],
  [
    whole(
      'wie spät (?:ist|haben|wird) (?:es|wir|das)|wie viel uhr (?:ist|haben) (?:es|wir)|welche (?:uhrzeit|zeit) (?:ist|haben wir)(?: es)?|uhrzeit|sage?(?: mir)?(?: mal)? (?:die uhrzeit|wie spät es ist)|(?:den wievielten|welchen tag|welches datum|welchen wochentag|was für einen tag) haben wir(?: heute?)?|der wievielte ist(?: heute?)?|(?:welcher|was für ein) (?:tag|wochentag)(?: der woche)? ist(?: es)?(?: heute?)?|welches datum ist(?: heute?)?|(?:was|wie) ist (?:heute? )?(?:das |für ein )?(?:datum|tag)(?: heute?)?',
    ),
    'clock.show',
    'wie spät ist es',
  ],
  [
    whole(
      '(?:was|welche (?:routinen|jobs|sachen)) (?:läuft|laufen|passiert|machst du)(?: (?:gerade|grad|alles|hier|so|denn|bei dir|noch|jetzt|im moment))* (?:von allein|von alleine|von selbst|automatisch|regelmäßig)|(?:zeig(?:e)?|nenn(?:e)?|list(?:e)?)(?: mir)?(?: mal| bitte)* (?:alle |die |meine |alle meine )*(?:routinen|jobs|automatisierungen)(?: auf)?|(?:welche|was für) (?:routinen|jobs|automatisierungen) (?:habe?n? (?:ich|wir)|hast du|gibt es|laufen|sind (?:an|aktiv|eingerichtet))',
    ),
    'jobs.list',
    'welche routinen laufen',
  ],
  [
    whole(
      '(?:was|welche (?:karte|karten|frage|fragen)) (?:wartet|warten)(?: (?:da|noch|denn|jetzt|alles|gerade|hier|auf mich|auf ein ja|auf meine antwort))*|(?:zeig(?:e)?|nenn(?:e)?)(?: mir)?(?: mal| bitte)* (?:die |alle |meine |offenen |wartenden )*(?:karten|freigaben|offenen fragen)|wartet (?:da |noch |hier )*(?:was|etwas)(?: auf mich)?|(?:was|welche) (?:ist|sind)(?: noch)? (?:karten |fragen )?offen|(?:und )?(?:jetzt )?wartet (?:jetzt )?(?:keine|nichts)(?: mehr)?',
    ),
    'approvals.list',
    'what is waiting for me',
  ],
  [
    whole(
      '(?:welche (?:mails?|nachrichten)|was) (?:wartet|warten|geht|gehen|wird|werden)(?: (?:noch|morgen|heute?|später|alles|denn|so|bald|demnächst))* (?:aufs? absenden|auf(?: den)? versand|aufs (?:ab|ver)schicken|raus|hinaus|verschickt|gesendet|abgeschickt)',
    ),
    'scheduled.list',
    'was muss noch verschickt werden',
  ],
]

const OF_REMINDER: readonly RegExp[] = [
  /^(?:bitte )?(?:lösch|streich|entfern|storniere?|beend|stopp)e? (?:bitte |mal )*(?:die |meine |den |das )?(?<what>\p{L}[\p{L}\d -]{1,40}?)[ -]?(?:erinnerung|reminder)(?: (?:bitte|wieder|mal))*[.!]*$/iu,
  /^(?:bitte )?(?:die |meine )?(?<what>\p{L}[\p{L}\d -]{1,40}?)[ -]?erinnerung (?:bitte )?(?:löschen|streichen|entfernen|kann weg|brauche? ich nicht mehr)[.!]*$/iu,
]
/** An alarm is the reminder to wake up. */
const ALARM =
  /^(?:bitte )?(?:(?:stell|mach|schalt)e? (?:bitte |mal )*(?:den|meinen) wecker(?: (?:morgen|für morgen|heute|bitte|wieder|morgen früh))* (?:aus|ab)|(?:lösch|streich|entfern|storniere?)e? (?:bitte |mal )*(?:den|meinen) wecker(?: (?:für|von) morgen)?|(?:den |meinen )?wecker (?:morgen |bitte |wieder )*(?:aus|ab|löschen|ausschalten|ausstellen))[.!]*$/iu

function endedIn(text: string): SaidPlainly | null {
  const say = (what: string) => ({ operation: 'reminders.cancel', sentence: `cancel the reminder ${what}` })
  if (ALARM.test(text)) return say('aufwachen')
  for (const pattern of OF_REMINDER) {
    const what = pattern.exec(text)?.groups?.['what']?.trim()
    if (what === undefined || /^(?:letzte|nächste|alle|erste|zweite|dritte|andere)/iu.test(what)) continue
    return say(/^wecker$/iu.test(what) ? 'aufwachen' : what)
  }
  return null
}

/** The operation that the whole of the message asks for, with a sentence of it; null for any other message. */
export function askedInGerman(typed: string): SaidPlainly | null {
  if (hasLines(typed)) return null
  const text = typed.trim().replace(/\s+/g, ' ')
  if (text.length > LONGEST || /["“”„:;@]\s/u.test(text)) return null
  for (const [pattern, operation, sentence] of ASKED) if (pattern.test(text)) return { operation, sentence }
  return quietIn(text) ?? endedIn(text)
}
