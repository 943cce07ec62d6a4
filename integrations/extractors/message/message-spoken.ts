/**
 * German as it is spoken and typed, in the words that it is written in: "siehts", "haste", "heut", "naechste", "dauert ne halbe
 * std". Pure; must not decide what is meant, and must not be bundled for the edge. Called by the planner and the reader of
 * operations at home.
 */
import { languageIn } from '../../../kernel/wording/languages.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 300
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
/** Beginnings of words of requests, of time and of the house that are often typed without their dots: "fuer", "naechste". */
const DOTTED: readonly (readonly [plain: string, dotted: string])[] = (
  'für über früh fünf zwölf zurück pünktlich wünsch müss würd dürf könn möcht möglich nächst spät verspät märz täglich wöchentlich monatlich jährlich jänner ' +
  'lösch öffn öfter änder veränder wär hätt prüf überprüf füg hinzufüg müll büro küche frühstück tür gebühr übung äpfel käse wäsche gemüse gerät schön hör stör ' +
  'räum aufräum erklär zähl erzähl ungefähr höchst größ süß grüß grüße nüsse brötchen möhren getränk vögel hähnchen führ kümmer fällig erledig zunächst während natürlich ' +
  'dreißig weiß heiß groß straße außer draußen fuß spaß'
)
  .split(' ')
  .map((word) => [bareOf(word), word] as const)
  .filter(([plain, word]) => plain !== word)

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

function dotted(word: string): string {
  const lower = word.toLowerCase()
  const [plain = '', right = ''] = DOTTED.find(([begin]) => lower.startsWith(begin)) ?? []
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
  return text.slice(0, end).replace(/\p{L}+/gu, dotted) + text.slice(end)
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
  const typed = message.replace(NOTE, 'merk dir: ')
  if (typed.length > LONGEST || TELLS.test(typed)) return typed
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

/**
 * The message in written German, for what is not understood as it was typed; null where it is written so already, is no German,
 * or holds words of the owner's that are told or kept.
 */
export function spokenAgain(typed: string): string | null {
  const text = typed.trim()
  if (text.length > LONGEST || hasLines(text) || TELLS.test(text) || !isGerman(text)) return null
  const end = CONTENT.exec(text)?.index ?? text.length
  const said = text
    .slice(0, end)
    .replace(/\p{L}+/gu, (word) => {
      const lower = word.toLowerCase()
      const own = Object.hasOwn(WORDS, lower) ? WORDS[lower] : undefined
      const es = WITH_ES.exec(lower)?.[1]
      return own ?? (es === undefined ? dotted(word) : `${es} es`)
    })
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
