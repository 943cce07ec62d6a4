/**
 * Forms of claims that something was done (C-25): verbs by the kind of write that would confirm them, in the first person and
 * in the passive. Data for claims.ts; must not judge.
 */

/** Kinds of writes, by the last part of an action's id. */
export type Kind = 'send' | 'make' | 'remove' | 'change' | 'keep' | 'spend'

export const ACTIONS: readonly (readonly [RegExp, Kind])[] = Object.freeze([
  [/^(?:send|reply|forward|post|publish|comment|notify|submit|invite|respond|call)/, 'send'],
  [/^(?:create|add|book|insert|new|schedule|make|append|upload|open)/, 'make'],
  [/^(?:delete|remove|cancel|archive|trash|close|clear|unsubscribe|drop)/, 'remove'],
  [/^(?:update|edit|move|rename|set|mark|merge|change|reschedule|patch|accept|decline)/, 'change'],
  [/^(?:save|store|remember|keep|write)/, 'keep'],
  [/^(?:pay|buy|order|purchase|transfer)/, 'spend'],
] as const)

/** Verbs that always mean an outside effect. */
const ALWAYS: Readonly<Record<Kind, string>> = Object.freeze({
  send: 'sent|e-?mailed|mailed|replied|forwarded|shared|texted|messaged|posted|published|notified|submitted|invited|phoned|called',
  make: 'booked|scheduled|reserved|uploaded|ordered',
  remove: 'cancell?ed|deleted|archived|unsubscribed|erased',
  change: 'rescheduled|postponed|renamed|accepted|declined|approved|granted|authori[sz]ed|revoked',
  keep: 'memori[sz]ed',
  spend: 'paid|bought|purchased|ordered|transferred|refunded',
})
/** Verbs that mean one only with such an object: "I added up the numbers" is no claim. Some fit several kinds. */
const WITH_OBJECT: readonly (readonly [string, readonly Kind[]])[] = Object.freeze([
  ['answered|delivered|responded', ['send']],
  ['created|made|set up|opened', ['make']],
  ['added|put|filed', ['make', 'keep', 'change']],
  ['removed|cleared|closed|dropped', ['remove']],
  ['updated|changed|moved|edited|marked|set|modified|switched', ['change']],
  ['saved|stored|noted|recorded|wrote|written', ['keep', 'make', 'change']],
  ['settled', ['spend']],
] as const)
export const OBJECT =
  /\b(?:calendar|event|meeting|appointment|invit\w+|e-?mails?|mails?|inbox|message|reminder|contact|file|folder|document|page|task|to-?do|issue|ticket|booking|reservation|order|payment|invoice|subscription|account|alarm|database|board|channel|repository|memory|nachricht(?:en)?|termine?|treffen|besprechung|einladung(?:en)?|rechnung|zahlung|datei|kalender|erinnerung|bestellung|buchung|reservierung|konto)\b/i

const ADVERBS =
  '(?:(?:just|already|now|also|successfully|gone ahead and|went ahead and|then|both|finally|since|even|all|duly) ){0,3}'
const ICH_HABE = '\\b(?:ich habe|habe ich|hab ich|ich hab)\\b'
const GERMAN: Readonly<Record<Kind, string>> = Object.freeze({
  send: 'gesendet|geschickt|verschickt|versendet|abgeschickt|weitergeleitet|beantwortet|geantwortet|eingeladen',
  make: 'gebucht|eingetragen|angelegt|erstellt|reserviert|hochgeladen',
  remove: 'gelöscht|storniert|abgesagt|entfernt',
  change: 'verschoben|geändert|umbenannt|zugesagt',
  keep: 'gemerkt|gespeichert|notiert',
  spend: 'bezahlt|bestellt|gekauft|überwiesen',
})

export interface Claim {
  /** A write of any of these kinds confirms it. */
  readonly kinds: readonly Kind[]
  readonly pattern: RegExp
  readonly needsObject: boolean
}

export const KINDS: readonly Kind[] = ['send', 'make', 'remove', 'change', 'keep', 'spend']
const I_HAVE = "\\b(?:i|we)(?: have|['’]ve| did)? "
export const CLAIMS: readonly Claim[] = [
  ...KINDS.map((kind) => claim([kind], `${I_HAVE}${ADVERBS}(?:${ALWAYS[kind]})\\b`, false)),
  ...WITH_OBJECT.map(([verbs, all]) => claim(all, `${I_HAVE}${ADVERBS}(?:${verbs})\\b`, true)),
  ...KINDS.map((kind) => claim([kind], `${ICH_HABE}[^.!?\\n]{0,160}?(?:${GERMAN[kind]})(?!\\p{L})`, false)),
]
/** Quick check: most sentences have no first person. */
export const FIRST_PERSON = /(?<!\p{L})(?:i|we|ich)(?!\p{L})/iu

/**
 * Passive forms name no actor, so they may report what others did; `verb` is the action. English, then German; then a sentence
 * that begins with it, such as "Sent." and "Meeting booked!".
 */
const PASSIVE = `\\b(?:(?:has|have) been|was|were|is|are|got) ${ADVERBS}`
const PASSIV = '(?<!\\p{L})(?:wurden?|ist|sind)(?!\\p{L})[^.!?\\n]{0,160}?'
const BARE = `^\\s*(?:[-*•] )?(?:done[,:;.!–-]{1,2} )?(?:${OBJECT.source} )?(?:successfully |just |now |erfolgreich )?`
const BARE_END = '(?=\\s*(?:[.!]|$)| (?:to|an|it|the|your|den|die|das) )'
export const PASSIVE_CLAIMS: readonly Claim[] = [
  ...KINDS.map((kind) => claim([kind], `${PASSIVE}(?<verb>${ALWAYS[kind]})\\b`, true)),
  ...WITH_OBJECT.map(([verbs, all]) => claim(all, `${PASSIVE}(?<verb>${verbs})\\b`, true)),
  ...KINDS.map((kind) => claim([kind], `${PASSIV}(?<verb>${GERMAN[kind]})(?!\\p{L})`, true)),
  ...KINDS.map((kind) => claim([kind], `${BARE}(?<verb>${ALWAYS[kind]}|${GERMAN[kind]})${BARE_END}`, false)),
]
/** Quick check: most sentences contain none of these verbs. */
export const DONE_VERB = new RegExp(
  `(?<!\\p{L})(?:${[...Object.values(ALWAYS), ...WITH_OBJECT.map(([verbs]) => verbs), ...Object.values(GERMAN)].join('|')})(?!\\p{L})`,
  'iu',
)

function claim(all: readonly Kind[], source: string, needsObject: boolean): Claim {
  return { kinds: all, pattern: new RegExp(source.replaceAll(' ', '\\s{1,3}'), 'giu'), needsObject }
}
