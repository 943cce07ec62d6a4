/**
 * German as it is spoken and typed, in the words that it is written in: "siehts", "haste", "heut", "naechste", "dauert ne halbe
 * std". Pure; must not decide what is meant, and must not be bundled for the edge. Called by the planner and the reader of
 * operations at home.
 */
import { languageIn } from '../../../kernel/wording/languages.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 300
/** Addresses behind it are of what nothing is changed in. */
const LONGEST_HEAD = 2_000
/** From here on it is said by somebody, kept, or the name of something. */
const CONTENT = /:\s|["“”„«»]|,?\s(?:dass|daß|weil)(?!\p{L})/iu
/** What follows such a verb is told to somebody or kept: the owner's own words. */
const TELLS =
  /^(?:(?:bitte|und|mal|kannst du|könntest du|kannste)[\s,]+)*(?:antwort|schreib|schick|mail|send|frag|leit|merk|notier|speicher|bestell|richt|sag(?!e? (?:mir|mal))|teil|übersetz|uebersetz)e?(?!\p{L})/iu

/** Written otherwise, whatever stands beside it. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ nich: 'nicht', net: 'nicht', ned: 'nicht', nit: 'nicht', jetz: 'jetzt', heut: 'heute', ma: 'mal' },
  ...{ wieviel: 'wie viel', wieviele: 'wie viele', nochma: 'noch mal', nochmal: 'noch mal', isses: 'ist es' },
  ...{ aufm: 'auf dem', ausm: 'aus dem', mitm: 'mit dem', fürn: 'für einen', vorm: 'vor dem' },
  ...{ is: 'ist', sin: 'sind', hab: 'habe', ham: 'haben', std: 'Stunden' },
  ...{ biste: 'bist du', haste: 'hast du', kannste: 'kannst du', willste: 'willst du' },
  ...{ machste: 'machst du', weißte: 'weißt du', gibste: 'gibst du', könnste: 'könntest du' },
}
/** Beginnings of words of requests and of time that are often typed without their dots: "fuer", "naechste". */
const DOTTED = plainAndDotted(
  'für über früh fünf zwölf zurück pünktlich wünsch müss würd dürf könn möcht möglich nächst spät verspät täglich wöchentlich monatlich jährlich ' +
    'lösch öffn öfter änder veränder wär hätt prüf überprüf füg hinzufüg schön hör stör ' +
    'räum aufräum erklär zähl erzähl ungefähr höchst größ süß grüß führ kümmer fällig erledig zunächst während natürlich ' +
    'dreißig weiß heiß groß außer draußen',
)
/** Nouns of time and of the house, which have a capital and are no name: whole, with an ending, or before another one: "Muelleimer", but not "Mueller". */
const NOUNS = plainAndDotted(
  'frühstück früh übermorgen nächste nächster nächsten nächstes nächstem märz jänner müll büro küche tür gebühr übung äpfel käse wäsche gemüse gerät grüße nüsse brötchen möhren getränk vögel hähnchen straße fuß spaß',
)
const ENDING = /^(?:e|n|en|es|s|(?!n?er)\p{L}{3,})?$/u

function plainAndDotted(words: string): readonly (readonly [plain: string, dotted: string])[] {
  return words.split(' ').map((word) => [bareOf(word), word] as const)
}

function bareOf(word: string): string {
  return word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss')
}

/** Verbs that are typed together with "es". */
const WITH_ES =
  /^(sieht|schaut|geht|gibt|wird|ist|war|steht|läuft|kommt|passt|reicht|klappt|schneit|regnet|sind|habt|hat|tut|fängt|dauert|gilt)s$/u
/** They change nothing about what is asked. */
const FILLERS =
  /(?<=^|\s)(?<!\d\s)(?:eigentlich|irgendwie|halt|eben|mal|bitte|bitteschön|grad|grade|gerade|einfach|kurz|noch mal|schnell|denn|überhaupt)(?=[\s,.!?]|$),?/giu
/** The same behind all, and what is added to soften a question. */
const ENDS =
  /[\s,]+(?:oder so(?: was)?|und so(?: weiter)?|oder nicht|oder|ne|gell|bei mir|so alles|alles|nochmal|mal|bitte|danke)(?=[\s.!?]*$)/iu

/** Also of a few words that say no language by themselves: "jeden montag um 8 müll rausbringen". */
export function isGerman(text: string): boolean {
  return languageIn(text, 1) === 'de' || GERMAN_WORDS.test(text)
}

const GERMAN_WORDS =
  /(?<!\p{L})(?:nich|ned|jetz|heut|was|wie|wer|wo|wann|hab|hast|haste|kannste|sieht?s|gibt?s|zeig|mach|grad|uhr|morgen|übermorgen|uebermorgen|naechste\p{L}?|fuer|frueh|waere|loesch\p{L}*|pruef\p{L}*|koenn\p{L}*|moecht\p{L}*|dauert|noch|stör|stoer|jede[nrsm]?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|abends|\p{L}*[äöüß]\p{L}*)(?!\p{L})/iu

function dotted(word: string, isName: boolean): string {
  const lower = word.toLowerCase()
  const isNoun = ([begin]: readonly [string, string]): boolean =>
    lower.startsWith(begin) && ENDING.test(lower.slice(begin.length))
  const found = NOUNS.find(isNoun) ?? (isName ? undefined : DOTTED.find(([begin]) => lower.startsWith(begin)))
  const [plain = '', right = ''] = found ?? []
  if (plain === '') return word
  const all = right + lower.slice(plain.length)
  return /^\p{Lu}/u.test(word) ? all.slice(0, 1).toUpperCase() + all.slice(1) : all
}

/** "Das Wetter für Köln", of no time. */
const WEATHER_FOR =
  /(?<!\p{L})((?:wetter|wetterbericht|wettervorhersage)) für (?=\p{L}{3,}(?:$|[\s?.!,]))(?!(?:heute?|morgen|übermorgen|uebermorgen|das|die|den|dem|diese\p{L}*|nächste\p{L}*|naechste\p{L}*|kommende\p{L}*|mein\p{L}*|unser\p{L}*|mich|uns|ein\p{L}*|jede\p{L}*|(?:mon|diens|donners|frei|sams|sonn)tag\p{L}*|mittwoch\p{L}*|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|weihnachten|ostern|silvester)(?!\p{L}))/giu

/** How long it takes, said behind what is entered. */
const TAKES =
  /[\s,;–-]+(?:(?:und|das|es|geht|das ganze|wird) )*(?:dauert|dauer)(?: (?:so|ca\.?|circa|etwa|ungefähr|nur|wohl|immer|jeweils|das|es|ist|bis zu))*:? (?=(?:\d|ein|ne|'ne|halbe|anderthalb|zwei|drei|vier|fünf|sechs|dreiviertel)\S*\s?(?:\p{L}+\s)?(?:std|st?unden?|min\p{L}*|h)(?!\p{L}))/iu
/** What is entered there has a time. */
const TIMED = /\d|(?<!\p{L})(?:um|halb|viertel|dreiviertel|mittags?|abends?|früh|morgens)(?!\p{L})/iu

function withDots(text: string): string {
  const end = CONTENT.exec(text)?.index ?? text.length
  return inWords(text.slice(0, end), dotted) + text.slice(end)
}

/** Each word changed; not in what has a digit. `isName`: it has a capital within a sentence, as names have, and most nouns. */
function inWords(text: string, change: (word: string, isName: boolean) => string): string {
  return text.replace(/\S+/g, (token, at: number) => {
    if (/\d/.test(token)) return token
    const begins = /(?:^|[.!?]["”]?\s+)$/u.test(text.slice(Math.max(0, at - 8), at))
    return token.replace(/\p{L}+/gu, (word, from: number) =>
      change(word, !(begins && from <= 1) && /^\p{Lu}\p{Ll}/u.test(word)),
    )
  })
}

const BEFORE = /^["“”„«»'(<[]*/u
const BEHIND = /(?<!["“”„«»'>,;:.!?)\]])["“”„«»'>,;:.!?)\]]+$/u
const ADDRESS = /[@/]|\p{L}\.\p{L}/u
/** Private use: one letter for each address. */
const FIRST = 0xe000
const HELD = /[\uE000-\uF8FF]/g

/** Changed but for its addresses, of mail and of pages: a letter that no rule knows stands for each. */
export function besideAddresses<Changed extends string | null>(
  text: string,
  change: (held: string) => Changed,
): Changed {
  const addresses: string[] = []
  if (!ADDRESS.test(text) || text.search(HELD) >= 0) return change(text)
  const held = text.replace(/\S+/g, (token, at: number) => {
    const [[before = ''] = [], [behind = ''] = []] = [BEFORE.exec(token) ?? [], BEHIND.exec(token) ?? []]
    const address = token.slice(before.length, token.length - behind.length)
    if (!ADDRESS.test(address) || at > LONGEST_HEAD) return token
    addresses.push(address)
    return `${before}${String.fromCharCode(FIRST + addresses.length - 1)}${behind}`
  })
  const changed = change(held)
  return changed === null
    ? changed
    : (changed.replace(HELD, (letter) => addresses[letter.charCodeAt(0) - FIRST] ?? letter) as Changed)
}

/** A thing by a word that says nothing: "der offsite kram", "das budget dings". */
const THING =
  /(?<=(?<!\p{L})(?:der|die|das|den|dem|dieser|diese|dieses|diesen)\s+\p{L}[\p{L}-]+(?:\s\p{L}[\p{L}-]+)?)\s+(?:kram|dings\p{L}*|sache|geschichte|ding|zeugs?)(?!\p{L})/giu

/** What asks for an answer, before what is asked. */
const FRAME =
  /^(?:(?:und|na|hey|du|also|ok|okay|sag mal)[\s,]+)*(?:(?:(?:kannst|könntest|würdest|magst|kann|könntet) du(?: (?:mir|mal|bitte|kurz|schnell|eben))*|bitte|mal|kurz)[\s,]+)*(?:(?:schau|guck|sieh|prüf|check|find|sag|verrat|erzähl)e?(?: (?:mir|mal|bitte|kurz|bitte mal|doch|nach|raus|heraus))*|(?:schauen|gucken|nachsehen|nachschauen|nachgucken|prüfen|checken|rausfinden|sagen|verraten|sehen)|weißt du(?: (?:zufällig|noch|eigentlich))*|hast du (?:ne|eine) ahnung|ich (?:wüsste|würde|möchte|will|wollte)(?: (?:nur|gern|gerne|mal|jetzt))* ?(?:wissen)?|ich muss wissen|mich interessiert)[\s,]+(?=(?:ob|was|wann|wo|wer|wem|wie|warum|welche\p{L}?)(?!\p{L}))/iu
const ASKED =
  /^(?<what>ob|(?:wie (?:viele?|lange?|warm|kalt|spät|oft|teuer|weit)(?: (?!ich|du|er|sie|es|wir|der|die|das|mein|bis|noch)\p{L}+)?)|welche[nrsm]? \p{L}+|was|wann|wo|wer|wem|wie|warum)\s+(?<rest>\S.*?)\s*[?.!]*$/isu
/** Verbs that end a clause. */
const LAST =
  'ist|sind|bin|war|waren|habe|hab|hat|haben|kann|können|muss|müssen|soll|sollen|wird|werden|will|gibt|kommt|kommen|liegt|steht|passt|passiert|läuft|geht|findet|beginnt|endet|dauert|heißt|kostet|schreibt|will|wollte|möchte|hatte|regnet|schneit|scheint|trägt|braucht|macht|sagt|meint|weiß'
const LAST_VERB = new RegExp(
  `^(?:(?<middle>.*)\\s)?(?:(?<prefix>an|auf|statt|vor|aus|los|ab)(?=(?:steht|stehen|liegt|kommt|kommen|findet|habe|hab|fängt|geht)$))?(?<verb>${LAST}|stehen|fängt)$`,
  'isu',
)

/** "Ob ich neue Mails habe" as "habe ich neue Mails"; null where its verb is not known. */
function asQuestion(clause: string): string | null {
  const { what = '', rest = '' } = ASKED.exec(clause)?.groups ?? {}
  if (what === '' || /[;:!?"„]/u.test(rest) || /(?<!\p{L})(?:und|oder|dann)(?!\p{L})/iu.test(rest))
    return null
  const { middle = '', prefix = '', verb = '' } = LAST_VERB.exec(rest)?.groups ?? {}
  if (verb === '') return null
  const said = /^ob$/i.test(what) ? [verb, middle, prefix] : [what, verb, middle, prefix]
  return said.filter((part) => part.trim() !== '').join(' ')
}

/**
 * The same where the frame says of no service or time that it is of: "schau mal ob Tom geschrieben hat", "ich wüsste gern, wann
 * …".
 */
const LOOKS =
  /^(?:(?:und|na|hey|du|also|ok|okay)[\s,]+)*(?:(?:bitte|mal)[\s,]+)*(?:(?:schau|guck|sieh|prüf|check)e?(?: (?:mal|bitte|kurz|doch|nach))*|ich wüsste(?: (?:gern|gerne|mal|jetzt))*)[\s,]+(?=(?:ob|was|wann|wo|wer|wie|welche\p{L}?)(?!\p{L}))/iu

/** "Mach ne Notiz: …" asks for it to be kept. */
const NOTE =
  /^(?:(?:bitte|und|ok)[\s,]+)*(?:mach|schreib|leg)e? (?:(?:dir|mir|mal|bitte) )*(?:ne|eine|['’]ne) (?:kurze |kleine )?notiz(?: an| auf)?(?:\s*[:,–-]\s*(?:dass )?| dass )(?=\S)/iu

/** "Finde mit Tom diese Woche ne Stunde": how long it is stands behind. */
const TIME_WITH =
  /^(?<find>(?:find|such)e?(?: (?:mir|uns|mal|bitte))*) mit (?<who>\p{L}[\p{L}-]*(?:(?: und|,) \p{L}[\p{L}-]*)?) (?<when>\S.{2,40}?) (?:mal )?(?<long>(?:eine?|ne|'ne|zwei|drei|anderthalb|\d{1,3})(?: halbe| dreiviertel)? ?(?:stunden?|std|min\p{L}*))[\s.!?]*$/iu

/**
 * What has one meaning however it is read: a verb with "es", and a length that would else be of a title. The words of a message
 * that is told, kept or quoted stay.
 */
export function spokenAlways(message: string): string {
  return message.length > LONGEST ? message : besideAddresses(message, alwaysIn)
}

function alwaysIn(message: string): string {
  const typed = message.replace(NOTE, 'merk dir: ')
  if (TELLS.test(typed)) return typed
  const whole =
    LOOKS.test(typed) && !CONTENT.test(typed) ? (asQuestion(typed.replace(LOOKS, '')) ?? typed) : typed
  const { find, who = '', when = '', long = '' } = TIME_WITH.exec(whole)?.groups ?? {}
  const moved = find === undefined ? whole : `${find} ${long} mit ${who} ${when}`
  const text = isGerman(moved) ? withDots(moved) : moved
  const end = CONTENT.exec(text)?.index ?? text.length
  const head = text
    .slice(0, end)
    .replace(
      /(?<!\p{L})(?:sieht|schaut)s(?=\s.{0,60}?\saus(?!\p{L}))/giu,
      (verb) => `${verb.slice(0, -1)} es`,
    )
    .replace(/(?<!\p{L})(?:wie\s)(ist)s(?!\p{L})/giu, 'wie ist es')
    .replace(THING, '')
    .replace(WEATHER_FOR, '$1 in ')
  const taken = TAKES.exec(head)
  if (taken === null || !TIMED.test(head.slice(0, taken.index))) return head + text.slice(end)
  return `${head.slice(0, taken.index)} für ${head.slice(taken.index + taken[0].length)}${text.slice(end)}`
}

/** Pasted lines are no one sentence. */
export function hasLines(typed: string): boolean {
  return /[\n\v\f\r\u0085\u2028\u2029]/.test(typed.trim())
}

function respoken(word: string, isName: boolean): string {
  const lower = word.toLowerCase()
  if (isName && lower !== 'std') return dotted(word, true)
  const own = Object.hasOwn(WORDS, lower) ? WORDS[lower] : undefined
  const es = WITH_ES.exec(lower)?.[1]
  return own ?? (es === undefined ? dotted(word, false) : `${es} es`)
}

/** A part of what was read, with each word that is none of the message's as it was typed there. */
export function typedAgain(part: string, typed: string): string {
  const own = typed.match(/\p{L}+/gu) ?? []
  const known = new Set(own.map((word) => word.toLowerCase()))
  const words = part.includes('@') || part.includes('/') ? [] : (part.match(/\p{L}+/gu) ?? [])
  if (words.every((word) => known.has(word.toLowerCase()))) return part
  return part.replace(/\p{L}+/gu, (word) => {
    const lower = word.toLowerCase()
    if (known.has(lower)) return word
    const as = own.find((one) =>
      [dotted(one, false), respoken(one, false)].some((said) => said.toLowerCase() === lower),
    )
    if (as === undefined) return word
    return /^\p{Lu}/u.test(word) ? as.slice(0, 1).toUpperCase() + as.slice(1) : as
  })
}

/**
 * The message in written German, for what is not understood as it was typed; null where it is written so already, is no German,
 * or holds words of the owner's that are told or kept.
 */
export function spokenAgain(typed: string): string | null {
  const text = typed.trim()
  return text.length > LONGEST || hasLines(text) ? null : besideAddresses(text, againIn)
}

function againIn(text: string): string | null {
  if (TELLS.test(text) || !isGerman(text)) return null
  const end = CONTENT.exec(text)?.index ?? text.length
  const said = inWords(text.slice(0, end), respoken)
    .replace(/(?<!\p{L})(ei)?(ne|ner|ne[nm]) halben? stunden(?!\p{L})/giu, 'eine halbe Stunde')
    .replace(/(?<![\p{L}\d])(?:(?:ei)?ne|1) stunden(?!\p{L})/giu, '1 Stunde')
  const clause = end === text.length ? said.replace(FRAME, '') : said
  const asked = clause === said ? null : asQuestion(clause)
  const plain = (asked ?? said).replace(FILLERS, ' ').replace(ENDS, '')
  const whole = `${plain}${text.slice(end)}`
    .replace(/\s+/g, ' ')
    .replace(/\s+(?=[,.!?])/g, '')
    .replace(/^[\s,.]+/, '')
    .trim()
  return whole === text || !/\p{L}{2}/u.test(whole) ? null : whole
}
