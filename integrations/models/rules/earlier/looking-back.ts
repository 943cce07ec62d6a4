/**
 * Questions that look back: what the owner or the assistant sent, to whom, and whether it went out, are of the sent mail, never of what came in; and what is asked about the
 * mail or event that was shown last by a pronoun is of that one. Must not name what it did not find by another. Pure. Called by planner.ts.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { CONTACTS_ROOT, type Plan } from '../../../../kernel/task/plan.ts'
import { plannedSteps } from '../../../tools/planned.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import { fieldOf, itemsOf, textOf } from '../answers/content.ts'
import { pastSpan } from '../reminders/past.ts'
import { saidOf } from '../said.ts'
import { call, nothing, ref, steps } from '../steps.ts'
import { openingPlan } from './opening.ts'
import { ageOf, shownRow } from './shown.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
/** UTF-16 units: such questions are short. */
const LONGEST = 140

const SENT =
  '(?:sent|send|wrote|write|written|replied|reply|answered|answer|forwarded|forward|mailed|emailed|e-mailed|messaged|(?:ab|ver|raus|hinaus|weg|weiter|zurück)?ge?schickt|verschickt|(?:ab|ver)?gesendet|versandt|versendet|(?:zurück)?geschrieben|geantwortet|beantwortet|weitergeleitet|gemailt)'
const WE = '(?:i|we|you)'
const WIR = '(?:ich|wir|du)'
/** The owner or the assistant is who sent: "did you send", "what I've written", "hast du … abgeschickt", "was ich geschickt hab". */
const OUR_SENDING = [
  new RegExp(`${B}(?:did|have|had) ${WE}${E}[^?]{0,60}?${B}${SENT}${E}`, 'iu'),
  new RegExp(`${B}${WE}(?:['’]ve| have| had)? (?:(?:just|already|last|ever|really|actually) )*(?:sent|wrote|written|replied|answered|forwarded|mailed|emailed)${E}`, 'iu'),
  new RegExp(`${B}(?:hab|habe|haben|hast) ${WIR}${E}[^?]{0,60}?${B}${SENT}${E}`, 'iu'),
  new RegExp(`${B}${WIR}${E}[^?]{0,40}?${B}${SENT} (?:hab|habe|haben|hast)${E}`, 'iu'),
]
const MAIL = '(?:(?:e-?)?mails?|messages?|repl(?:y|ies)|answers?|letters?|nachricht(?:en)?|antwort(?:en)?|brief)'
/** What was sent is what it is asked of: "did my answer to Sarah go out?", "ist die Mail an Mira raus?", "did Sarah get my mail?". */
const GONE = [
  new RegExp(`^(?:did|has|have|was|were|is) (?:the|my|our|your|that) (?:\\p{L}+ )?${MAIL}${E}[^?]{0,50}?${B}(?:go out|gone out|go through|gone through|get sent|been sent|sent|go|gone|out|arrive|arrived)[\\s?.!]*$`, 'iu'),
  new RegExp(`^(?:ist|sind|ging|gingen|wurde|wurden) (?:die|meine|deine|unsere) (?:\\p{L}+ )?${MAIL}${E}[^?]{0,50}?${B}(?:raus|rausgegangen|hinaus|weg|fort|angekommen|${SENT})[\\s?.!]*$`, 'iu'),
  new RegExp(`^(?:did|has|have) (?<got>(?!i${E}|we${E}|you${E}|any)[\\p{L}.'’ -]{2,40}?) (?:get|got|gotten|receive|received) (?:my|our|the|your) (?:\\p{L}+ )?${MAIL}${E}`, 'iu'),
  new RegExp(`^(?:hat|haben) (?<got>(?!ich${E}|wir${E}|du${E})[\\p{L}.'’ -]{2,40}?) (?:meine|unsere|deine|die) (?:\\p{L}+ )?${MAIL} (?:schon )?(?:bekommen|gekriegt|erhalten)${E}`, 'iu'),
]
/** It asks, or wants to see. */
const ASKS = new RegExp(
  `^(?:(?:and|und|so|ok|okay|also|hey|na|sag mal|but|aber)[ ,]+)*(?:what|which|who|whom|to whom|where|when|did|have|had|has|was|were|is|show|list|see|read|tell me|(?:can|could) (?:i|you)|wo|wem|an wen|was|welche\\p{L}*|wann|hast|hab|habe|haben|hat|ist|sind|ging|wurden?|zeig\\p{L}*|lies|kann (?:ich|man)|wie viele?)${E}`,
  'iu',
)
/** Goes elsewhere, came to the owner, or is to be sent now. */
const ELSE = new RegExp(
  `:\\s|${B}(?:down|note|notes|post|posts|posted|tweet\\p{L}*|comment\\p{L}*|issue|page|list|calendar|diary|reminder|file|files|liste|kalender|notiz\\p{L}*|seite|datei|dateien|erinnerung|bekommen|gekriegt|erhalten|received|auf\\p{L}*schrieben)${E}|${B}(?:send|sent|write|wrote|written|schick\\p{L}*|geschickt|geschrieben) (?:to )?(?:me|us|mir|uns)${E}|${B}(?:mir|uns)${E}|${B}(?:to|by) (?:me|us)${E}`,
  'iu',
)
/** What it says is asked, of one. */
const CONTENT = new RegExp(`^(?:(?:and|und|so|ok|okay|also|na)[ ,]+)*(?:what|was|read|lies|show me what|zeig\\p{L}* mir was)${E}`, 'iu')
const OF_MANY = new RegExp(`${B}(?:all|mails|e-?mails|messages|replies|letters|everything|today|yesterday|week|alles?|nachrichten|antworten|heute|gestern|woche|wem|whom|who)${E}`, 'iu')
/** Whether it was done. */
const WHETHER = /^(?:(?:and|und|so|ok|okay|also|na)[ ,]+)*(?:did|have|has|had|was|were|is|hast|hab|habe|haben|hat|ist|sind|ging|wurden?)(?!\p{L})/iu
const NOW = new RegExp(`${B}(?:now|jetzt|gerade|just now|right now)${E}`, 'iu')
/** Begins today, as a time: its days before are asked for. */
const THIS_WEEK = /(?<!\p{L})(?:this|diese[rnm]?|lately|recently|neulich|letztens) ?(?:week|month|woche|monat)?(?!\p{L})/iu
const PRONOUN = /^(?:her|him|them|she|he|they|it|that|this|ihr|ihm|ihnen|ihn|sie|er|dem|der|die|das|denen|es)$/iu
const NAME = "(?!(?:the|my|our|a|an|me|us|him|her|them|that|this|it|die|der|den|dem|das|mich|uns|ihn|sie|ihm|ihr|ihnen|today|yesterday|heute|gestern)(?![\\p{L}]))[\\p{L}\\p{N}.@_+'’-]{2,40}"
/** To whom. */
const TO = new RegExp(`${B}(?:to|an) (?:the |my |our |die |den |das |der |dem |meine[nr]? |unsere[nr]? )?(?<who>${NAME}(?: (?!(?:go|gone|get|been|sent|out|exactly|already|yet|today|yesterday|this|last|really|actually|jetzt|schon|wirklich|heute|gestern|raus|${SENT})${E})${NAME}){0,2})`, 'iu')
/** Between who sent and what was done, a German name stands alone: "was hast du Sarah geschrieben". */
const DATIVE = new RegExp(`${B}(?:hast du|hab ich|habe ich|haben wir) (?:(?:da|denn|heute|gestern|gerade|eben|zuletzt|nochmal) )*(?<who>\\p{Lu}[\\p{L}.-]{1,39})(?: (?:da|denn|heute|gestern|gerade|eben|zuletzt|eigentlich|genau|noch))* (?:geschrieben|geantwortet|geschickt|gemailt)${E}`, 'u')

const [SEARCH, READ] = ['email.search', 'email.read'] as const
/** Actions whose cards are of mail that is to go out. */
const SENDS = /^email\.(?:send|reply|forward)/

/** Of what was sent; null for any other message. */
export function sentPlan(parts: PromptParts): Plan | null {
  const request = parts.request.trim()
  if (request.length > LONGEST || !ASKS.test(request) || ELSE.test(request)) return null
  const gone = GONE.map((one) => one.exec(request)).find((found) => found !== null)
  if (gone === undefined && !OUR_SENDING.some((one) => one.test(request))) return null
  if (saidOf(parts).services.length > 0) return null
  const named = gone?.groups?.['got'] ?? TO.exec(request)?.groups?.['who'] ?? DATIVE.exec(request)?.groups?.['who']
  const who =
    named === undefined
      ? contactIn(parts)
      : PRONOUN.test(named.trim())
        ? null
        : addressed(named.trim(), parts)
  if (WHETHER.test(request) && isWaiting(parts, who)) return nothing('sent_waits')
  const { from, to } = NOW.test(request) || THIS_WEEK.test(request) ? {} : pastSpan(parts)
  const span = { ...(from !== undefined && { since: from }), ...(to !== undefined && { before: to }) }
  const args = { in: 'sent', ...(who !== null && { to: who }), ...span }
  const isOne = CONTENT.test(request) && !OF_MANY.test(request)
  return isOne
    ? steps(call('s1', SEARCH, { ...args, count: 1 } as never), {
        ...call('s2', READ, { id: ref('s1.emails[0].id') }),
        when: { ref: 's1.emails', is: 'not_empty' },
      })
    : steps(call('s1', SEARCH, args as never))
}

/** Contacts that the message names. */
function contactsIn({ metadata }: PromptParts): readonly Json[] {
  const fields = metadata.find(({ root }) => root === CONTACTS_ROOT)?.fields as Json | undefined
  return itemsOf(fieldOf(fields, 'people'), 'items')
}

/** The one contact that the message names; null if that is none, or several. */
function contactIn(parts: PromptParts): Json | null {
  const words = parts.request.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const fits = contactsIn(parts).flatMap((one, at) => {
    const [first = ''] = textOf(fieldOf(one, 'email'), 'known').toLowerCase().split(' ')
    return words.includes(first) ? [at] : []
  })
  return fits.length === 1 ? { $ref: `${CONTACTS_ROOT}.people[${fits[0]}].email` } : null
}

/** The contact of that name, else the name. */
function addressed(name: string, parts: PromptParts): Json {
  const fits = contactsIn(parts).flatMap((one, at) => (calledSo(textOf(fieldOf(one, 'email'), 'known'), name) ? [at] : []))
  const [only, ...others] = fits
  return only === undefined || others.length > 0 ? name : { $ref: `${CONTACTS_ROOT}.people[${only}].email` }
}

function calledSo(known: string, name: string): boolean {
  const words = known.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .every((word) => words.includes(word))
}

/** Whether a card of a mail waits; of one to somebody, not where it is known to go to others. */
function isWaiting({ metadata, request }: PromptParts, who: Json | null): boolean {
  return metadata.some(({ root, action, fields }) => {
    if (!/^(?:q\d|waiting)/.test(root) || !SENDS.test(action)) return false
    const to = fieldOf(fields as Json, 'to')
    const known = [to, ...itemsOf(to ?? null, 'items')]
      .map((one) => textOf(one ?? null, 'known'))
      .filter((name) => name !== '')
    const isToOthers = known.length > 0 && !known.some((name) => name.toLowerCase().split(' ').some((word) => request.toLowerCase().includes(word)))
    return who === null || !isToOthers
  })
}

/** One question about what was shown, by a pronoun. */
const IT = '(?:it|that|this|that one|this one|the mail|that mail|this mail|the email|that email)'
const ES = '(?:das|die|sie|es|der|dies|diese|diese mail|die mail|diese nachricht|die nachricht)'
const CLAUSE = [
  `(?:who|whom)(?:['’]s| is| was|s)? (?:${IT} )?from(?: exactly)?`,
  `(?:who|whom)(?:['’]s| is| was|s) ${IT} from`,
  `from (?:who|whom)(?:['’]s| is| was| did) ${IT}(?: come)?`,
  `who (?:sent|wrote|has sent|has written) ${IT}`,
  `when (?:did|was|is) ${IT} (?:sent|come|arrive|written|due|from)`,
  `how much (?:is|was|does) (?:${IT}|he|she|they)(?: for| cost| come to| want)?`,
  `what(?:['’]s| is) the (?:amount|total|sum|subject|date|price|deadline)`,
  `what (?:does|do) (?:${IT}|he|she|they) (?:say|want|need|ask|cost|write)(?: for| from me| of me)?(?: exactly)?`,
  `what(?:['’]s| is) (?:${IT} about|in (?:it|there))`,
  `(?:von wem|wer) (?:ist|kommt|kam|stammt|war) ${ES}(?: denn| eigentlich| nochmal)*`,
  `wer (?:hat )?${ES} (?:denn )?(?:geschrieben|geschickt|gesendet)(?: hat)?`,
  `wer (?:hat|schreibt) (?:mir )?${ES}(?: da)?(?: geschickt| geschrieben)?`,
  `wie ?viel (?:ist|kostet|macht|soll|will) (?:${ES}|er)(?: denn)?(?: kosten| haben)?`,
  `wie hoch ist (?:${ES}|der betrag|die rechnung|die summe)(?: denn)?`,
  `wann ist (?:${ES}|das geld|der betrag) (?:denn )?fällig`,
  `(?:was|wo) steht (?:da|dort|hier|da so|da genau|denn da)(?: genau| denn| so)?(?: drin| drauf)?`,
  'was steht (?:darin|drin)(?: genau| denn)?',
  `was (?:will|möchte|braucht|schreibt|sagt|meint) (?:er|sie|der|die)(?: denn| genau| da| von mir)*`,
  'worum geht(?: es|s)?(?: da| denn| dabei| darin)*',
].join('|')
const AROUND = "(?:and |und |so |ok |okay |also |na |but |aber |wait |hm,? )*"
const OF_IT = new RegExp(`^${AROUND}(?:${CLAUSE})(?:(?:,| and| und)+ (?:${CLAUSE}))*[\\s?.!]*$`, 'iu')
/** One that is named among those shown, and a question about it behind what is said of it. */
const NAMED_ONE = new RegExp(
  `^${AROUND}(?<one>(?:the|that|this) (?:one|mail|email|e-mail|message) (?:from|by|about) (?:the |my )?[\\p{L}\\p{N}.&'’-]+(?: [\\p{L}\\p{N}.&'’-]+){0,3}?)(?: (?:looks?|seems?|is|was|sounds?|feels?)${E}[^?]*)?[,;.–-]+ *(?:what|who|is|can|when|how|where|did|does|please)${E}`,
  'iu',
)
const NAMED_GERMAN = new RegExp(
  `^${AROUND}(?<one>(?:die|diese) (?:(?:mail|e-mail|nachricht) )?(?:von|vom|über|wegen) (?:der |dem )?[\\p{L}\\p{N}.&'’-]+(?: [\\p{L}\\p{N}.&'’-]+){0,3}?)(?: (?:sieht|wirkt|ist|war|klingt|scheint)${E}[^?]*)?[,;.–-]+ *(?:was|wer|ist|kann|wann|wie|wo|hat)${E}`,
  'iu',
)

const THINGS = TOOL_PHRASES.flatMap(({ thing }) => (thing?.opens === undefined ? [] : [thing]))

/** Of what was shown last; null for any other message, and where the last thing that was shown is none that can be opened. */
export function shownAgain(parts: PromptParts): Plan | null {
  const request = parts.request.trim()
  if (request.length > LONGEST) return null
  const one = (NAMED_ONE.exec(request) ?? NAMED_GERMAN.exec(request))?.groups?.['one']
  if (one !== undefined) return openingPlan({ ...parts, request: `show ${one.trim()}` }) ?? nothing('which_mail')
  return OF_IT.test(request) ? lastShown(parts) : null
}

/** What was shown last, whole again. */
export function lastShown(parts: PromptParts): Plan | null {
  const [last] = THINGS.flatMap((thing) => {
    const path = shownRow(thing, 'it', parts)
    return path === null ? [] : [{ thing, path }]
  }).toSorted((a, b) => ageOf(a.path) - ageOf(b.path))
  if (last === undefined) return null
  const own = plannedSteps(last.thing.opens ?? [], { one: last.path }) as unknown as Plan['steps']
  return { steps: own, explanation: '' }
}

/** Whom a pronoun means who wrote something: whoever wrote what was shown last. A plan that looks for a sender by such a word is none. */
export function withSender(plan: Plan, parts: PromptParts, person: string): Plan {
  const writers = TOOL_PHRASES.flatMap(({ thing }) => (thing?.writer === undefined ? [] : [thing]))
  let isOpen = false
  const own = plan.steps.map((step) => {
    if (step.do !== 'tool') return step
    const thing = writers.find(({ lists }) => lists.includes(step.tool))
    const value = thing === undefined ? undefined : step.args[thing.writer?.argument ?? '']
    if (thing?.writer === undefined || value === undefined) return step
    const text = typeof value === 'string' ? value : isPerson(value) ? person : ''
    if (!PRONOUN.test(text.trim())) return step
    const row = shownRow(thing, 'it', parts)
    if (row === null) isOpen = true
    return row === null
      ? step
      : { ...step, args: { ...step.args, [thing.writer.argument]: ref(`${row}.${thing.writer.address}`) } }
  })
  return isOpen ? nothing('which_sender') : { ...plan, steps: own }
}

function isPerson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, '$ref') === 'said.person'
}
