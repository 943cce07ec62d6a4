/**
 * Translates German requests about jobs into the English form that the job rules read; names stay as typed.
 * Leaves any other text unchanged. Pure. Called by job.ts.
 */
import { dayIn, jobAsWished } from './job-wished.ts'
import { whenInEnglish } from './reminder-german.ts'

const IT = '(?:es|das|ihn|sie)'
const ARTICLE = '(?:(?:den|die|das|der|meinen?|mein|meine|dem|mit) )*'
const NAME = String.raw`(?<name>(?:[\p{L}\d-]+ ){0,3}?[\p{L}\d-]+)`
const PLURAL = '(?:mon|diens|donners|frei|sams)tags|mittwochs|sonn(?:abend|tag)s'
const WHEN = String.raw`(?<when>(?:alle|jede[nrsm]?|stündlich|täglich|werktags|um|${PLURAL}|am letzten tag jede[ns])\b.*)`

/** Each with the English verb. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `^(?:bitte )?(?:mache?|schalte?|stelle?) (?:bitte )?${ARTICLE}${NAME} (?:bitte )?wieder (?:an|ein)$`,
      'iu',
    ),
    'resume the',
  ],
  [
    new RegExp(
      `^(?:bitte )?(?:richte|stelle?|mache?|schalte?) (?:mir )?(?:bitte )?(?:eine?n? )?${ARTICLE}${NAME}(?: bitte)? (?:ein|an)$`,
      'iu',
    ),
    'start the',
  ],
  [
    new RegExp(
      `^(?:bitte )?(?:mache?|schalte?|stelle?) (?:bitte )?${ARTICLE}${NAME}(?: (?:bitte|wieder|doch))* (?:aus|ab)$`,
      'iu',
    ),
    'stop the',
  ],
  [
    new RegExp(`^(?:bitte )?(?:lösche?|entferne?|streiche?) (?:bitte )?${ARTICLE}${NAME}$`, 'iu'),
    'remove the',
  ],
  [
    new RegExp(
      `^(?:bitte )?(?:starte|aktiviere|beginne) (?:bitte )?${ARTICLE}${NAME}(?<of> (?:von|über|zu) .{1,200}?)?(?: ${WHEN})?$`,
      'iu',
    ),
    'start the',
  ],
  [new RegExp(`^(?:bitte )?schalte? (?:bitte )?${ARTICLE}${NAME} (?:ein|an)$`, 'iu'), 'start the'],
  [new RegExp(`^(?:bitte )?schalte? (?:bitte )?${ARTICLE}${NAME} (?:aus|ab)$`, 'iu'), 'stop the'],
  [new RegExp(`^(?:bitte )?(?:stoppe?|beende|pausiere) (?:bitte )?${ARTICLE}${NAME}$`, 'iu'), 'stop the'],
  [new RegExp(`^(?:bitte )?setze (?:bitte )?${ARTICLE}${NAME} fort$`, 'iu'), 'resume the'],
  [
    new RegExp(`^(?:bitte )?(?:prüfe?|checke?|durchsuche) (?:bitte )?${ARTICLE}${NAME} ${WHEN}$`, 'iu'),
    'check',
  ],
  [new RegExp(`^(?:bitte )?${WHEN} (?:bitte )?${ARTICLE}${NAME} (?:prüfen|checken)$`, 'iu'), 'check'],
]

const FROM_NOW = '(?:(?:ab jetzt|ab sofort|von nun an|künftig|in zukunft|stattdessen|lieber) )'
/** "Schick es lieber an …", "das Briefing ab jetzt in …", "ich hätte das Briefing gern in …". */
const CHAT = new RegExp(
  `^(?:bitte )?(?:(?:schicke?|sende?|bringe?|leg) |ich (?:hätte|möchte|will|bekomme) )?(?:bitte )?(?:es|das(?! \\p{L}+(?:briefing|digest))|${ARTICLE}${NAME}) (?:${FROM_NOW}|gern |gerne )+(?:an|nach|in|auf|über|per|zu) ${ARTICLE}(?<into>[\\p{L}\\d ]{2,30}?)(?: (?:schicken|senden|haben|bekommen))?$`,
  'iu',
)
const JOB_NAME =
  '(?<name>(?:[\\p{L}\\d-]+ ){0,2}?[\\p{L}\\d-]*(?:briefing|digest|check|prüfung|rückblick|überblick|übersicht|zusammenfassung|bericht|vorhersage|routine))'
/** "Ich brauche das Briefing nicht mehr", "kein Briefing mehr". */
const NO_MORE = new RegExp(
  `^(?:ich (?:brauche|will|möchte) ${ARTICLE}${JOB_NAME} nicht mehr|(?:bitte )?keine?n? ${JOB_NAME.replace('name', 'name2')} mehr)(?: bitte)?$`,
  'iu',
)
/** "Ich hätte das Briefing lieber um 7". */
const RATHER = new RegExp(
  `^ich (?:hätte|möchte|will) ${ARTICLE}${JOB_NAME} (?:(?:lieber|gern|gerne|doch|erst|schon|bitte) )+um (?<when>\\d{1,2}(?:[:.]\\d\\d)?)(?: uhr)?(?: haben)?$`,
  'iu',
)
/** "Doch lieber erst um acht", of the job that was spoken of. */
const RATHER_AT =
  /^(?:(?:bitte|aber|nein|doch|lieber|erst|besser|schon) )*(?:doch|lieber|besser|erst) (?:(?:bitte|erst|schon) )*um (?<when>\S.{0,20}?)(?: bitte)?$/iu
const WHY = new RegExp(
  `^(?:(?:warum|wieso|weshalb) (?:kam|kommt|ist|lief|gab es) (?!(?:denn |heute )*kein)(?:es|das|${ARTICLE}${JOB_NAME})|wo (?:bleibt|ist) ${ARTICLE}${JOB_NAME.replace('name', 'name2')})(?: (?:denn|heute|heute morgen|nicht|noch|gekommen|gelaufen))*$`,
  'iu',
)
/** "Nur werktags", "mach das Briefing nur am Wochenende". */
const ONLY = new RegExp(
  `^(?:(?:(?:mache?|schicke?|bringe?) (?:mir )?)?(?:${IT}|${ARTICLE}${JOB_NAME}) )?(?:bitte )?nur (?:noch )?(?<when>(?:werktags|an werktagen|am wochenende|an wochenenden|(?:\\p{L}+s(?:,| und| oder)? ?){1,4}))(?: bitte)?$`,
  'iu',
)
/** "Lass morgen aus", "nächste Woche kein Briefing". */
const SKIP = new RegExp(
  `^(?:bitte )?(?:(?:lasse?|überspringe?) (?:bitte )?(?:${ARTICLE}${JOB_NAME} )?(?:am |den |die )?(?<when>heute|morgen|übermorgen|nächste woche|diese woche|\\p{L}+tag)(?: (?:aus|ausfallen|weg|bitte))*|(?:am )?(?<when2>heute|morgen|übermorgen|nächste woche|diese woche|\\p{L}+tag) (?:bitte )?keine?n? ${JOB_NAME.replace('name', 'name2')}(?: bitte)?)$`,
  'iu',
)
const LIST =
  /^(?:was läuft (?:alles )?(?:wann|von selbst|von allein|automatisch)|wann läuft was|welche (?:jobs|routinen|aufgaben von dir) (?:laufen|habe ich|gibt es)|was machst du von (?:selbst|allein))$/iu

const PAGE = new RegExp(
  `^(?:bitte )?(?:schreibe?|trage?|füge?) (?:bitte )?(?:${IT}|${ARTICLE}${NAME})(?<too> auch| ebenfalls| zusätzlich)? (?:auf|in|an|zu) ${ARTICLE}(?<tool>[\\p{L}\\d]{2,30})[ -]seite (?<page>\\S.{0,100}?)(?: (?:ein|an|hinzu))?$`,
  'iu',
)
const NO_PAGE = new RegExp(
  `^(?:bitte )?(?:schreibe?|trage?) (?:bitte )?(?:${IT}|${ARTICLE}${NAME}) nicht mehr (?:auf|in|nach|zu) ${ARTICLE}(?<tool>[\\p{L}\\d]{2,30})(?:[ -]seite.*)?$`,
  'iu',
)

const VERB = '(?:schicke?|sende?|sage?|zeige?|gib|erzähle?|bringe?|nenne?)'
const TOLD: readonly RegExp[] = [
  new RegExp(
    `^${VERB} mir (?:bitte )?${WHEN} (?<what>(?:was|welche|die|den|das|meine|eine|einen|ob|wie|wer|alle)\\b.*)$`,
    'iu',
  ),
  new RegExp(`^${WHEN},? ${VERB} mir(?: bitte)?,? (?<what>\\S.*)$`, 'iu'),
  new RegExp(
    `^${VERB} mir (?:bitte )?(?<what>(?:was|welche|die|den|das|meine|eine|einen|ob|wie|wer|alle)\\b.*?),? ${WHEN}$`,
    'iu',
  ),
]
/** Of a job that is set, another time of day. */
const TIME = new RegExp(
  `^(?:(?:verschiebe?|verlege?|stelle?|mache?|ändere?|schicke?) )?(?:mir )?${ARTICLE}(?!(?:starte|aktiviere|beginne) )(?<name>(?:[\\p{L}\\d-]+ ){0,2}?[\\p{L}\\d-]*(?:briefing|digest|prüfung|rückblick|überblick|übersicht|zusammenfassung|bericht)) (?:(?:bitte|ab jetzt|ab sofort|künftig|erst|schon|lieber|auf|um|immer) )*(?<when>\\d{1,2}(?:[:.]\\d\\d)?)(?: uhr)?(?: statt (?:um )?[\\d:.]{1,5}(?: uhr)?)?(?: (?:verschieben|kommen|schicken))?$`,
  'iu',
)

/** Once, beside its times: put behind the name, with "now". */
const NOW: readonly RegExp[] = [
  new RegExp(
    `^(?:bitte )?(?:(?:starte|mache?|zeige?|gib|schicke?|lies|führe?|sage?) (?:mir )?(?:bitte )?${ARTICLE})?${NAME} (?:bitte )?(?:jetzt|sofort|gleich)(?: (?:bitte|mal|gleich|sofort|aus|vor|an))*$`,
    'iu',
  ),
  new RegExp(
    `^(?:bitte )?(?:starte|mache?|zeige?|gib|schicke?|lies|führe?) (?:mir )?(?:bitte )?(?:jetzt|sofort) (?:bitte |mal )*${ARTICLE}${NAME}(?: (?:aus|vor|an))?$`,
    'iu',
  ),
]
/** Days that a job leaves out. */
const NOT_ON =
  /^(?:bitte )?(?:(?:mach|tu|schick|sag|bring)e? (?:mir )?(?:das|es|ihn|sie) )?(?<when>(?:am|an|jeden?) \p{L}+|\p{L}+s)(?:,? (?:bitte|aber|mir))* nicht(?: mehr)?(?: (?:bitte|schicken|machen|sagen))?$/iu
/** "Nicht am Wochenende". */
const NOT_ON_LAST = /^(?:aber |bitte )?nicht (?<when>(?:am|an) \p{L}+|\p{L}+s)(?: bitte)?$/iu
/** Of a job that is set, days as well. */
const DAYS_AT = new RegExp(
  `^(?:(?:stelle?|mache?|schicke?|bringe?) )?(?:mir )?${ARTICLE}(?<name>(?:[\\p{L}\\d-]+ ){0,2}?[\\p{L}\\d-]*(?:briefing|digest|prüfung|rückblick|überblick|übersicht|zusammenfassung|bericht|routine)) (?<days>am wochenende|an wochenenden|\\p{L}+s) (?:(?:bitte|auch|schon|erst) )*um (?<when>\\d{1,2}(?:[:.]\\d\\d)?)(?: uhr)?$`,
  'iu',
)

export function jobInEnglish(text: string): string {
  const atDays = DAYS_AT.exec(text)?.groups
  if (atDays !== undefined)
    return `make the ${atDays['name'] ?? ''} at ${(atDays['when'] ?? '').replace(/^(\d{1,2})$/, '$1:00')} ${whenInEnglish(/^a/i.test(atDays['days'] ?? '') ? 'am wochenende' : (atDays['days'] ?? '')).replace(/^(?!on )/, 'on ')}`
  const without = (NOT_ON.exec(text) ?? NOT_ON_LAST.exec(text))?.groups?.['when']
  if (without !== undefined) {
    const days = whenInEnglish(without.replace(/^an wochenenden$/iu, 'am wochenende')).replace(
      /^(?:an|on) /i,
      '',
    )
    return days === without ? text : `not on ${days}`
  }
  for (const pattern of NOW) {
    const name = pattern.exec(text)?.groups?.['name']
    if (name !== undefined) return `run the ${name} now`
  }
  const rather = RATHER_AT.exec(text)?.groups?.['when']
  if (rather !== undefined)
    return /^\d/.test(rather) ? `${rather.replace(/^(\d{1,2})$/, '$1:00')} instead` : `um ${rather} instead`
  if (LIST.test(text)) return 'what runs when'
  const over = NO_MORE.exec(text)?.groups
  if (over !== undefined) return `stop the ${over['name'] ?? over['name2'] ?? ''}`
  const why = WHY.exec(text)?.groups
  const late = why?.['name'] ?? why?.['name2']
  if (why !== undefined) return `why did ${late === undefined ? 'it' : `the ${late}`} not come`
  const only = ONLY.exec(text)?.groups
  if (only !== undefined) {
    const { name, when = '' } = only
    const days = whenInEnglish(when.trim().replace(/^an wochenenden$/iu, 'am wochenende'))
    return name === undefined ? `only ${days}` : `${name} only ${days}`
  }
  const skipped = SKIP.exec(text)?.groups
  if (skipped !== undefined) {
    const [name = skipped['name2'], day = skipped['when2'] ?? ''] = [skipped['name'], skipped['when']]
    return `skip ${name === undefined ? '' : `the ${name} `}${dayIn(day)}`
  }
  const time = (TIME.exec(text) ?? RATHER.exec(text))?.groups
  if (time !== undefined)
    return `make the ${time['name'] ?? ''} at ${(time['when'] ?? '').replace(/^(\d{1,2})$/, '$1:00')}`
  for (const pattern of TOLD) {
    const { when = '', what } = pattern.exec(text)?.groups ?? {}
    if (what !== undefined) return `${oftenInEnglish(when)} tell me ${what}`
  }
  const chat = CHAT.exec(text)?.groups
  if (chat !== undefined) return `send ${chat['name'] ?? 'it'} to ${chat['into'] ?? ''} instead`
  const off = NO_PAGE.exec(text)?.groups
  if (off !== undefined) return `stop writing ${off['name'] ?? 'it'} to ${off['tool'] ?? ''}`
  const page = PAGE.exec(text)?.groups
  if (page !== undefined)
    return `write ${page['name'] ?? 'it'} to my ${page['tool'] ?? ''} page ${page['page'] ?? ''}${page['too'] === undefined ? '' : ' too'}`
  for (const [pattern, verb] of SAID) {
    const { name, of = '', when = '' } = pattern.exec(text)?.groups ?? {}
    const whose = of.replace(/^ (?:von|über|zu) /iu, ' of ')
    if (name !== undefined) return `${verb} ${name}${whose} ${oftenInEnglish(when)}`.trim()
  }
  return jobAsWished(text)
}

/** The words of a repetition, also of one within a day. */
export function oftenInEnglish(when: string): string {
  const often = when
    .replace(
      /\balle (\d+|zwei|drei|vier|fünf|sechs)\b/giu,
      (_, count: string) => `every ${NUMBERS[count.toLowerCase()] ?? count}`,
    )
    .replace(/(?<![\p{L}])stündlich\b/giu, 'every hour')
    .replace(/\bjede halbe stunde\b/giu, 'every half hour')
    .replace(/\bjede viertelstunde\b/giu, 'every 15 minutes')
    .replace(/\bjede stunde\b/giu, 'every hour')
    .replace(/\bzwischen (.{1,9}?) und\b/giu, 'between $1 and')
    .replace(/(?<=\d(?: uhr)?),? und (?:dann |nochmal )?(?=(?:um )?\d)/giu, ' and ')
  return whenInEnglish(often)
}

const NUMBERS: Readonly<Record<string, string>> = { zwei: '2', drei: '3', vier: '4', fünf: '5', sechs: '6' }
