/**
 * Reads a message that corrects a text on a card: replaces words ("say Wednesday instead of tomorrow", "nimm 4300 statt
 * 4200"), removes some ("ohne das danke"), or adds some ("sign it Gwen", "add: see you there"). Pure; must not look at
 * a card: correct-text.ts finds the words in it. Called by correct-text.ts, the terminal and the reader of new times.
 */
import { withoutOpeners } from './openers.ts'

export type Correction =
  | { readonly do: 'replace'; readonly old: string; readonly by: string }
  | { readonly do: 'leave'; readonly what: string }
  /** `at` counts sentences or lines from 1; -1 is the last. */
  | { readonly do: 'leave_part'; readonly part: 'sentence' | 'line'; readonly at: number }
  /** "Say tomorrow morning instead": of what is not said; the only time in the text, else all of it. */
  | { readonly do: 'whole'; readonly text: string }
  /** `line`: the text is added as a paragraph of its own. */
  | { readonly do: 'add'; readonly text: string; readonly at: 'start' | 'end'; readonly line: boolean }

export interface SaidCorrection {
  /** Possible meanings; the first that fits a text counts. */
  readonly readings: readonly Correction[]
  /** True if the message can hardly mean anything but a correction. If no reading fits, nothing else is done with it. */
  readonly isSure: boolean
}

/** Maximum UTF-16 units of a message, and maximum number of readings. */
const LONGEST = 600
const MOST_READINGS = 24

const NOT =
  'instead of|rather than|in place of|and not|not|statt(?: von)?|anstatt|anstelle von|und nicht|nicht'
const SAY =
  '(?:say|write|put|use|take|(?:it|that) should (?:say|read|be)|make (?:it|that)|schreibe?|sage?|nimm|setze?|nenne?|es soll(?:te)? (?:heißen|sein)|da soll(?:te)? stehen|mach(?:e)?)'
const MILD = '(?:(?:lieber|besser|doch|bitte|mal|rather|please|da|dort|hier|einfach) )*'

interface Form {
  readonly pattern: RegExp
  /** Matches words between the old text and the new one; each match may be the place where they divide. */
  readonly cut: RegExp
  readonly order: 'old_new' | 'new_old'
  readonly isSure: (old: string, by: string) => boolean
}

const always = (): boolean => true
/** A time or a number is hardly the name of a thing, so such words occur in a text. */
const asValue = (old: string): boolean => isValue(old) || isQuoted(old)

const FORMS: readonly Form[] = [
  form(
    '(?:replace|swap|substitute|ersetze?|tausche?|vertausche?)',
    ' (?:with|by|for|durch|gegen|mit) ',
    'old_new',
    always,
  ),
  form(
    '(?:change|correct|turn|alter|ändere|ändre|änder|korrigiere?|verbessere?)',
    ' (?:to|into|in|zu|auf) ',
    'old_new',
    asValue,
  ),
  form('(?:mach(?:e)? )?aus', ' (?:(?:wird|soll(?:te)?|mach(?:e)?) )?', 'old_new', asValue),
  form(
    `(?:(?:${SAY} )?${MILD})?(?:instead of|rather than|in place of|statt(?: von)?|anstatt|anstelle von)`,
    `,? (?:${SAY} )?${MILD}`,
    'old_new',
    asValue,
  ),
  form('(?:not|nicht)', ',? (?:but|sondern) (?:rather )?', 'old_new', asValue),
  form('', ' (?:should (?:be|read|say)|must be|has to be) ', 'old_new', asValue),
  form(`${SAY} ${MILD}`, `,? (?:${NOT}) `, 'new_old', always),
  form('', `,? (?:${NOT}) `, 'new_old', asValue),
  form(`(?:it['’]?s|it is|es ist|das ist|es sind|they are) ${MILD}`, `,? (?:${NOT}) `, 'new_old', asValue),
  // In "4200 soll 4300 heißen" the verb follows the new text.
  form('', ' (?:soll(?:te)?|muss) ', 'old_new', asValue, ' (?:heißen|sein|lauten|werden)'),
]

function form(lead: string, between: string, order: Form['order'], isSure: Form['isSure'], end = ''): Form {
  const head = lead === '' ? MILD : `(?:${lead})(?:(?<= )| +)`
  return {
    pattern: new RegExp(`^${head}(?<rest>\\S.*?)${end}$`, 'isu'),
    cut: new RegExp(between, 'giu'),
    order,
    isSure,
  }
}

const DAY =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|today|tomorrow|tonight|yesterday|heute|(?:über)?morgen|gestern|weekend|wochenende'
const HOUR =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|half|quarter|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|mittag|mitternacht|halb|viertel|dreiviertel'
const BESIDE =
  "past|to|vor|nach|uhr|o['’]?clock|am|pm|in the|at|on|of|next|week|woche|morning|afternoon|evening|night|früh|abends?|morgens|mittags?|(?:vor|nach)mittags?"
/** A number may be followed by a unit. */
const VALUE = new RegExp(
  `^(?:(?:on|at|by|am|um|bis|next|this|nächste[nr]?|diesen?|the|den) )*(?:[$€£]? ?\\d[\\d.,:/-]*(?:st|nd|rd|th)?(?: ?(?:[€%]|\\p{L}{1,8}))?|${DAY}|${HOUR})(?: (?:${DAY}|${HOUR}|${BESIDE}|\\d[\\d.:]*))*$`,
  'iu',
)

/** Whether the words are a day, a time of day or a number, which are not names of things. */
export function isValue(words: string): boolean {
  return words.length <= 60 && VALUE.test(words.trim())
}

const QUOTED = /^["'„“‘‚»«]([^"„“”»«]+)["'“”’‘«»]$/u

function isQuoted(words: string): boolean {
  return QUOTED.test(words.trim())
}

function unquoted(words: string): string {
  return (QUOTED.exec(words.trim())?.[1] ?? words).trim()
}

const WHERE =
  '(?: (?:in|from|of|on|aus|von|auf) (?:the|my|der|dem|meiner)? ?(?:text|(?:e-?)?mail|message|note|reply|card|nachricht|antwort|karte))?'
/** A mention of the text, and polite words, at the end of a message. */
const TAIL = new RegExp(
  `${WHERE}(?:,? (?:please|pls|bitte|instead)|, (?:thanks|thank you|danke))*[.!]*$`,
  'iu',
)
const ARTICLE =
  /^(?:(?:the|das|den|die|der|dem|your|dein|an?) (?:(?:word|bit|part|text|number|name|wort|zahl)s? )?)/iu

/** The words as given, and without their article. */
function named(words: string): readonly string[] {
  const own = unquoted(words)
  const bare = isQuoted(words) ? own : unquoted(own.replace(ARTICLE, ''))
  return bare === '' || bare === own ? [own] : [own, bare]
}

/** The correction in a message; null for a message that corrects no text. */
export function correctionIn(message: string): SaidCorrection | null {
  const text = message.trim()
  if (text.length === 0 || text.length > LONGEST || text.startsWith('/') || text.endsWith('?')) return null
  const said = withoutOpeners(text)
  return addedIn(said) ?? leftIn(said) ?? replacedIn(said) ?? wholeIn(said)
}

const WHOLE: readonly RegExp[] = [
  /^(?:say|write|schreibe?|sage?):? (?<text>\S.*?),? (?:instead|stattdessen)[.!]*$/isu,
  /^(?:schreibe?|sage?)(?: (?:ihm|ihr|ihnen|bitte))* (?:lieber|stattdessen|besser):? (?<text>\S.*?)(?<! ab)[.!]*$/isu,
]

function wholeIn(said: string): SaidCorrection | null {
  const text = WHOLE.map((pattern) => pattern.exec(said)?.groups?.['text']).find((one) => one !== undefined)
  return text === undefined ? null : { readings: [{ do: 'whole', text: unquoted(text) }], isSure: false }
}

const OF_DAY =
  'morning|afternoon|evening|night|früh|vormittag|nachmittag|abend|\\d{1,2}(?::\\d\\d| ?[ap]m| uhr)'
const TIME = new RegExp(
  `(?<![\\p{L}\\d])(?:next |this |heute )?(?:${DAY}|${OF_DAY})(?: (?:(?:at|um) )?(?:${OF_DAY}))*(?![\\p{L}\\d])`,
  'giu',
)

/** The days and times of day that a text names, each as it stands there. */
export function timesIn(text: string): readonly string[] {
  return text.match(TIME) ?? []
}

function replacedIn(said: string): SaidCorrection | null {
  if (said.includes('\n')) return null
  const readings: Extract<Correction, { do: 'replace' }>[] = []
  let isSure = false
  for (const { pattern, cut, order, isSure: sure } of FORMS) {
    const rest = pattern.exec(said)?.groups?.['rest']?.replace(TAIL, '')
    if (rest === undefined) continue
    for (const { index, 0: between } of rest.matchAll(cut)) {
      if (between.trim() === '' && order === 'new_old') continue
      const [first, second] = [rest.slice(0, index).trim(), rest.slice(index + between.length).trim()]
      const [old, by] = order === 'old_new' ? [first, second] : [second, first]
      // Text after a colon is addressed to somebody, or is about something else.
      const isSpoilt = old === '' || by === '' || old.length > 200 || [old, by].some(isOther)
      if (isSpoilt) continue
      isSure ||= sure(old, by)
      for (const one of named(old))
        readings.push({ do: 'replace', old: one, by: unquoted(by.replace(/^[,;] ?/, '')) })
    }
  }
  // "Change Tom to Ann to Gwen": the longest old text that occurs counts.
  const longest = readings.toSorted((one, other) => other.old.length - one.old.length)
  return readings.length === 0 ? null : { readings: longest.slice(0, MOST_READINGS), isSure }
}

function isOther(words: string): boolean {
  return !isQuoted(words) && /^[,;]|[,;]$|:(?:\s|$)/.test(words)
}

const NTH = ['first|erste', 'second|zweite', 'third|dritte']
const PART = new RegExp(
  `^(?:the |den |die )?(?:(?:last|letzte)|(?<nth>${NTH.join('|')}))n? (?<part>sentence|line|satz|zeile)$`,
  'iu',
)
/** Words for leaving a part out of a text; `TAKEN` may also mean deleting a thing. */
const WITHOUT: readonly RegExp[] = [
  /^(?:(?:just|do it|send it|schick es|nur) )*(?:without|ohne) (?<what>\S.*)$/iu,
  /^(?:leave|take|cut|strike|lass(?:e)?|nimm|streiche?) (?<what>\S.*?) (?:out|off|away|weg|raus|heraus|fort|aus)$/iu,
  /^(?:leave|take|cut|strike) (?:out|off|away) (?<what>\S.*)$/iu,
  /^(?:drop|skip|omit|lose|streiche?|lass) (?<what>\S.*)$/iu,
]
const TAKEN: readonly RegExp[] = [
  /^(?:remove|delete|erase|lösche?|entferne?) (?<what>\S.*)$/iu,
  /^(?:entferne?|nimm|lösche?) (?<what>\S.*?) (?:raus|heraus|weg)$/iu,
]

function leftIn(said: string): SaidCorrection | null {
  const bare = said.replace(TAIL, '')
  const isWithout = WITHOUT.map((pattern) => pattern.exec(bare)?.groups?.['what']).find(
    (one) => one !== undefined,
  )
  const what =
    isWithout ?? TAKEN.map((pattern) => pattern.exec(bare)?.groups?.['what']).find((one) => one !== undefined)
  if (what === undefined || said.includes('\n')) return null
  const part = PART.exec(what)?.groups
  if (part !== undefined) {
    const nth = part['nth']?.toLowerCase()
    const at = nth === undefined ? -1 : NTH.findIndex((words) => words.split('|').includes(nth)) + 1
    const kind = /^(?:line|zeile)$/iu.test(part['part'] ?? '') ? 'line' : 'sentence'
    return { readings: [{ do: 'leave_part', part: kind, at }], isSure: true }
  }
  const readings = named(what).map((one) => ({ do: 'leave', what: one }) as const)
  const isSure = isQuoted(what) || (isWithout !== undefined && /^(?:without|ohne) /iu.test(bare))
  return { readings, isSure }
}

const END = '(?:at|to|on) the (?:very )?(?:end|bottom)|(?:am|ans) (?:ende|schluss)|zum schluss|below'
const START = '(?:at|to) the (?:top|start|beginning)|(?:am|an den) anfang'
const PUT = 'add|append|tack on|insert|ergänze?|füge?|hänge?'
const WRITE = 'put|write|include|schreibe?|setze?|packe?|stelle?'
const ADD = `(?:${PUT}|${WRITE})`
const TOO = '(?: (?:this|that|noch|bitte|auch|das|too|as well|hinzu|dazu|an|dran|hinten dran))'
const TEXT = '(?<text>\\S[\\s\\S]*?)'
const LINES: readonly string[] = [
  `${ADD}(?: noch| bitte| auch)* ${TEXT},? (?:(?:${END})|(?<top>${START}))(?: hin| dran| dazu| hinzu| an)?[.!]?`,
  // "Häng das PDF dran" is about a file.
  `(?:füge?|hänge?)(?: (?:noch|bitte|auch|mal|doch|unten))* (?!(?:die|den|das|eine?n?|meine?n?|ihre?n?|seine?n?) )${TEXT} (?:an|dran|daran|hinten dran|drunter|darunter)[.!]?`,
  `(?:end|close|finish|schließe?)(?: it| ab)? (?:with|mit) ${TEXT}`,
  `(?:start|begin|open|beginne?)(?: it| es)? (?<top>with|mit) ${TEXT}`,
  `(?:sign (?:it|that|this|off)|unterschreibe?|unterzeichne?)(?: (?:it|es|das|off))?(?: (?:as|with|mit|als))? ?:? ${TEXT}`,
]
const SENTENCES: readonly string[] = [
  `(?:(?:${PUT})${TOO}*|(?:${WRITE})${TOO}+|${ADD}${TOO}* (?:${END}|(?<top>${START}))|noch dazu|dazu(?: noch)?|noch) ?: ?${TEXT}`,
  `(?:add|mention|(?:also|and) (?:say|write|mention)|also tell (?:him|her|them)) that ${TEXT}`,
  `(?:schreibe?|setze?)(?: noch| auch)* ${TEXT} (?:noch )?dazu[.!]?`,
  // Fewer words than four may mean a person to invite.
  'noch (?<text>(?:\\S+ ){3,}\\S+) dazu[.!]?',
  // "Add milk" is about a list: only words in quotes count as text.
  `${ADD}(?: noch| auch)? (?<text>["'„“‘‚»«].+["'“”’‘«»])(?: (?:dazu|hinzu|an|too))?[.!]?`,
]
/** The form with a colon comes first, because any text may follow a colon. */
const ADDED = [SENTENCES[0] ?? '', ...LINES, ...SENTENCES.slice(1)].map((source) => ({
  pattern: new RegExp(`^${source}$`, 'iu'),
  line: LINES.includes(source),
}))

function addedIn(said: string): SaidCorrection | null {
  for (const { pattern, line } of ADDED) {
    const { text: typed = '', top } = pattern.exec(said)?.groups ?? {}
    const text = typed.trim()
    if (text === '') continue
    const reading = {
      do: 'add',
      text: unquoted(text),
      at: top === undefined ? 'end' : 'start',
      line,
    } as const
    return { readings: [reading], isSure: true }
  }
  return null
}
