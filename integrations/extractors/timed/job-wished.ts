/**
 * Translates wishes about jobs ("I'd rather have the briefing at 7", "warum kam heute kein Briefing") into the form that the job rules
 * read. Leaves any other text unchanged. Pure. Called by job-german.ts.
 */
import { whenInEnglish } from './reminder-german.ts'

const NOUN =
  "(?<name>(?:[\\p{L}\\d'-]+ ){0,3}?[\\p{L}\\d-]*(?:briefing|digest|review|summary|overview|recap|checks?|forecast|routine|prüfung|rückblick|überblick|übersicht|zusammenfassung|bericht|vorhersage))"
const NAME = `(?:(?:the|my|that|any) )?${NOUN}`
const NAMEN = `(?:(?:den|die|das|dem|der|mein|meine|meinen|meinem) )?${NOUN}`
const I = "i(?:['’]?d| would)? (?:rather|prefer|like|want)(?: to)?(?: (?:have|get|see))?"
const DAY = '(?<day>heute|morgen|übermorgen|nächste woche|diese woche|am \\p{L}+tag)'
const WHY = '(?:warum|wieso|weshalb)'
const AT = '(?:(?:auf|um|schon|erst|lieber|bitte) )*(?<when>\\d{1,2}(?:[:.]\\d\\d)?|halb \\p{L}+)(?: uhr)?'
const LENGTH =
  '(?<length>(?:um )?(?:eine? (?:halbe )?stunde|eine (?:drei)?viertelstunde|(?:\\d{1,3}|zwei|drei|vier|zehn) (?:stunden|minuten)))'

type Groups = Readonly<Record<string, string | undefined>>

/** Each with the English form of what it found. */
const WISHES: readonly (readonly [string, (found: Groups) => string])[] = [
  [`i (?:don['’]?t|do not) (?:need|want) ${NAME} (?:any ?more|any longer)`, stopped],
  [`i no longer (?:need|want) ${NAME}`, stopped],
  [`(?:schick|schicke|bring|bringe|sag|sage) mir (?:bitte )?${NAMEN} nicht mehr`, stopped],
  [`(?:bitte )?hör (?:bitte )?auf(?: mit|,? mir) ${NAMEN}(?: zu (?:schicken|senden|bringen))?`, stopped],
  [
    `i (?:don['’]?t|do not) (?:need|want) ${NAME} (?<when>today|tomorrow|this week|next week|on \\p{L}+day)`,
    ({ name, when }) => `skip the ${name} ${when}`,
  ],
  [
    `ich (?:brauche|brauch|will|möchte) ${NAMEN} ${DAY} nicht`,
    ({ name, day }) => `skip the ${name} ${dayIn(day)}`,
  ],
  ['(?<day>heute|morgen|übermorgen|nächste woche|diese woche) nicht', ({ day }) => `not ${dayIn(day)}`],
  [`why (?:was |is )?(?:there )?no ${NAME}(?: today| this morning| this evening| yet)?`, missed],
  [`${WHY} (?:kam|kommt|gab es|gibt es|ist|war)(?: denn| heute)* keine? ${NAMEN}(?: da| gekommen)?`, missed],
  [`${WHY} (?:habe|hab) ich(?: denn| heute)* keine?n? ${NAMEN} (?:bekommen|gekriegt|erhalten)`, missed],
  [`${I} ${NAME} (?:in|on|via|by) (?<into>[\\p{L}][\\p{L}\\d ]{1,30}?) (?:from now on|instead)`, sent],
  [`${I} ${NAME} from now on (?:in|on|via|by) (?<into>[\\p{L}][\\p{L}\\d ]{1,30})`, sent],
  [
    `i(?:['’]?d| would) (?:rather|prefer)(?: to)?(?: (?:have|get|see))? ${NAME} at (?<when>\\S.*)`,
    ({ name, when }) => `make the ${name} at ${when}`,
  ],
  ['(?:no,? )?(?:rather|better) at (?<when>\\d\\S*(?: ?[ap]\\.?m\\.?)?)', ({ when }) => `${when} instead`],
  [`(?:mach|mache|stell|stelle|leg|lege|setz|setze) (?:es|das|ihn|sie) ${AT}`, moved],
  [`(?:mach|mache) ${AT} (?:draus|daraus)`, moved],
  [`(?:mach|mache|leg|lege) (?:es|das|ihn|sie) ${LENGTH} (?<way>später|früher|eher)`, shifted],
  [`${LENGTH} (?<way>später|früher|eher)`, shifted],
]
/** Patterns of any script's letters are slow to make: each is made once, when a message may be a wish. */
let made: readonly (readonly [RegExp, (found: Groups) => string])[] | null = null
/** A word of each wish, so that other messages cost nothing. */
const WORDS =
  /^(?:i |i['’]d |no,? |rather |better |why |ich |warum |wieso |weshalb |bitte |hör |mache? |stelle? |lege? |setze? |schicke? |bringe? |sage? )|(?:nicht|später|früher|eher)$/iu

export function jobAsWished(text: string): string {
  if (!WORDS.test(text)) return text
  made ??= WISHES.map(([source, meant]) => [new RegExp(`^${source}$`, 'iu'), meant] as const)
  for (const [pattern, meant] of made) {
    const found = pattern.exec(text)?.groups
    if (found !== undefined) return meant(found)
  }
  return text
}

function stopped({ name }: Groups): string {
  return `stop the ${name}`
}

function missed({ name }: Groups): string {
  return `why did the ${name} not come`
}

function sent({ name, into }: Groups): string {
  return `send the ${name} to ${into} instead`
}

function moved({ when = '' }: Groups): string {
  return `make it ${/^\d{1,2}$/.test(when) ? `${when}:00` : when.replace('.', ':').replace(/^halb .*/iu, (half) => whenInEnglish(`um ${half}`))}`
}

const DAYS_AWAY: Readonly<Record<string, string>> = {
  heute: 'today',
  morgen: 'tomorrow',
  übermorgen: 'the day after tomorrow',
  'nächste woche': 'next week',
  'diese woche': 'this week',
}

/** In English. */
export function dayIn(day = ''): string {
  return DAYS_AWAY[day.toLowerCase()] ?? whenInEnglish(/^am /iu.test(day) ? day : `am ${day}`)
}

const COUNTS: Readonly<Record<string, string>> = { zwei: '2', drei: '3', vier: '4', zehn: '10' }

function shifted({ length = '', way = '' }: Groups): string {
  const minutes = /dreiviertel/iu.test(length) ? '45' : /viertel/iu.test(length) ? '15' : null
  const count = /(\d+|zwei|drei|vier|zehn) (stunden|minuten)/iu.exec(length)
  const said =
    minutes !== null
      ? `${minutes} minutes`
      : count === null
        ? `${/halbe/iu.test(length) ? 'half ' : ''}an hour`
        : `${COUNTS[(count[1] ?? '').toLowerCase()] ?? count[1]} ${/^s/iu.test(count[2] ?? '') ? 'hours' : 'minutes'}`
  return `${said} ${/später/iu.test(way) ? 'later' : 'earlier'}`
}
