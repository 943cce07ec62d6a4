/**
 * Plans messages with two parts about the task list: something that ran out and the amount to get, or a tick
 * beside a new entry; and a tick that only names the entry. Reads all of it or nothing. Must not read
 * messages with a time or another place. Called by planner.ts.
 */
import { operationInMessage } from '../../../kernel/operations/commands.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { readDates } from '../../dates/read.ts'
import { likelyOf } from '../../extractors/learned/likely.ts'
import { CUTS } from '../../extractors/learned/read.ts'
import { NEVER } from '../../extractors/learned/slots.ts'
import { FILLER, wordsOf } from '../../extractors/message/message-coverage.ts'
import { coreAsTyped } from '../../extractors/message/message-intent.ts'
import { matterOf } from '../../extractors/message/message-matter.ts'
import { itemsOf } from '../../extractors/timed/items.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { momentOf } from './several.ts'
import { call, steps } from './steps.ts'

/** UTF-16 units, parts and words of a thing: requests are short. */
const LONGEST = 200
const MOST_PARTS = 4
const MOST_WORDS = 5
/** How likely the message must be of the list. */
const LEAST = 0.2
const OF_LIST: ReadonlySet<string> = new Set(['else:task.add', 'else:task.done', 'else:two'])

export function listPlan(parts: PromptParts): Plan | null {
  const text = coreAsTyped(parts.request).trim()
  if (text.length > LONGEST || /[?"“”„«»:@]/.test(text)) return null
  if (readDates(text, momentOf(parts)).span !== null) return null
  return stockPlan(text, parts) ?? needPlan(text, parts) ?? tickPlan(text) ?? morePlan(text, parts)
}

const THINGS = "(?<things>[\\p{L}][\\p{L}\\d'’, -]{1,80}?)"
const ALSO = '(?:(?:also|still|really|definitely|just) )'
const NOCH = '(?: (?:auch|noch|dringend|unbedingt|wieder|übrigens|bitte))'
const LISTED = '(?:(?:,| -)? (?:please|too|as well|also|bitte|for the list|on the list))*'
/** Wanted beside what is on the list: "Butter brauchen wir auch noch", "we also need bread". */
const NEED = [
  `(?:we|i)(?:['’]ll)? (?:will )?${ALSO}+need (?:to (?:get|buy) )?(?:some |more )*${THINGS}${LISTED}`,
  `we need (?:to (?:get|buy) )?(?:some|more)(?: more)? ${THINGS}${LISTED}`,
  `we need ${THINGS} (?:too|as well|also)`,
  `(?:and |oh |also )*${THINGS}(?:,? (?:we|i) need (?:that|those|it|them|some)?(?: too| as well| also)+)`,
  `${THINGS} (?:brauchen wir|brauche? ich|brauch ma|bräuchten wir|fehlt uns|fehlen uns|fehlt|fehlen)${NOCH}+`,
  `(?:wir brauchen|ich brauche?|wir bräuchten|es fehlt|es fehlen)${NOCH}+ ${THINGS}`,
  `(?:we(?:['’]re| are) )?(?:also|nearly|almost) out of ${THINGS}`,
  `(?:(?:we|i) )?need (?:to (?:get|buy) )?(?:some |more )*${THINGS}`,
  `(?:(?:ich|wir) )?brauch(?:en|e)?(?: (?:ich|wir|mal))*(?: (?:noch|auch))* ${THINGS}`,
].map((pattern) => new RegExp(`^(?:and |und |oh |ach,? )?${pattern}[\\s.!]*$`, 'iu'))
/** They are needed, and are nothing that is bought. */
const NO_GOODS =
  /(?<!\p{L})(?:help|hilfe|time|zeit|appointments?|\p{L}*termin\p{L}*|plans?|pläne?|plan|answers?|antwort\p{L}*|reply|advice|rat|you|your|u|dich|dein\p{L}*|ideas?|idee\p{L}*|room|raum|meeting|call|talk|holiday|urlaub|break|pause|flights?|flug|tickets?|hotel|table|tisch|info\p{L}*|number|nummer|addresse?|adresse|mail|e-?mail|money|geld|day|tag|days|tage|hours?|stunden?|minutes?|minuten?|weeks?|wochen?|to|zu)(?!\p{L})/iu

function needPlan(text: string, parts: PromptParts): Plan | null {
  const things = NEED.map((pattern) => pattern.exec(text)?.groups?.['things']).find(
    (one) => one !== undefined,
  )
  if (things === undefined || NO_GOODS.test(things)) return null
  const items = itemsOf(things.replace(ARTICLE, '').trim()).map((item) => item.replace(ARTICLE, '').trim())
  if (items.length === 0 || !items.every(isThing)) return null
  return isLikelyOfList(parts)
    ? steps(...items.map((item, at) => call(`s${at + 1}`, 'task.add', { text: item })))
    : null
}

const COUNT =
  '(?:\\d{1,3}|an?|another|one|two|three|four|five|six|ten|a couple(?: of)?|a few|half a dozen|eine?n?|noch eine?n?|zwei|drei|vier|fünf|sechs|zehn|ein paar)'
const AMOUNT = `(?<amount>${COUNT}(?: [\\p{L}-]{2,20}){0,2}?)`
const THING = "(?<thing>[\\p{L}][\\p{L}'’ -]{1,40}?)"
const MARK = '\\s*[,;.!–-]+\\s*(?:so |and |und |also |please |pls |bitte )*'
const ENGLISH = `(?:add|get|buy|put|order|grab)(?: me| us| down| on)? ${AMOUNT}(?: (?:more|on|please|of (?:it|them|those)|(?:on|to) (?:the|my|our) (?:shopping )?list))*`
const GERMAN = `(?:setz|schreib|pack|tu|nimm|kauf|hol|füg|besorg)e? (?:bitte |noch |mir |uns )*${AMOUNT}(?: (?:drauf|rauf|dazu|hinzu|mit|auf|(?:mit )?auf die (?:einkaufs)?liste))*`
/** It is gone, and so much is wanted. Nothing but a word that says so makes the first part a thing. */
const STOCK = [
  `(?:(?:we|i)(?:['’]?(?:re|m)| are| am) |(?:we|i) )?(?:nearly |almost |all |completely )?(?:out of|low on|running (?:out of|low on)|ran out of|run out of) ${THING}(?: again)?${MARK}${ENGLISH}`,
  `${THING}(?: again|(?:['’]s| is| are)(?: nearly| almost| all)? (?:out|gone|empty|finished|low|used up)(?: again)?| ran out(?: again)?| (?:has|have) run out(?: again)?)${MARK}${ENGLISH}`,
  `${THING} (?:ist|sind|is)(?: schon| wieder| fast| jetzt| mal)* (?:alle|leer|aus|ausgegangen|weg|aufgebraucht)${MARK}${GERMAN}`,
  `(?:wir haben |ich habe? )?keine?n? ${THING} (?:mehr|mehr da)${MARK}${GERMAN}`,
  `(?:schon )?wieder ${THING}${MARK}${GERMAN}`,
].map((pattern) => new RegExp(`^${pattern}[\\s.!]*$`, 'iu'))
const ARTICLE = /^(?:the|our|my|der|die|das|den|unser\p{L}*|mein\p{L}*) /iu
/** They stand for something else. */
const NO_THING: ReadonlySet<string> = new Set(
  'same once yet try here never ever over remind call back dasselbe mal dann noch that it me nothing everything'.split(
    ' ',
  ),
)

function stockPlan(text: string, parts: PromptParts): Plan | null {
  const found = STOCK.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined)
  if (found === undefined) return null
  const thing = (found['thing'] ?? '').replace(ARTICLE, '').trim()
  if (!isThing(thing)) return null
  return isLikelyOfList(parts)
    ? steps(call('s1', 'task.add', { text: `${thing} (${found['amount']})` }))
    : null
}

const ADDS =
  /^(?:(?:also|then|please|bitte|auch|noch|instead|stattdessen) )*(?:(?:add|put|get|buy|stick|pop|write|note)(?: down| on)?|i meant|ich meinte|(?:setz|schreib|pack|tu|nimm|kauf|hol|füg)e?(?: (?:bitte|noch|auch|dafür|stattdessen))*) (?<things>\S.*?)(?: (?:on|down|too|instead|also|drauf|rauf|dazu|hinzu|auch|stattdessen|dafür|please|bitte|on there|(?:on|to) (?:the|my|our|it) ?(?:shopping )?(?:list)?|(?:mit )?auf die \p{L}*liste))*[\s.!]*$/iu
/** It goes elsewhere, or to somebody. */
const ELSEWHERE = /(?<!\p{L})(?:to|into|in|on|at|with|from|for|as|auf|zu|zum|zur|mit|von|für|als)(?!\p{L})/iu

function tickPlan(text: string): Plan | null {
  const clauses = text.split(CUTS).map((clause) => clause.trim())
  if (clauses.length < 2 || clauses.length > MOST_PARTS) return null
  const calls: { readonly tool: string; readonly text: string }[] = []
  for (const clause of clauses) {
    const named = tickedIn(clause)
    // Behind a new thing, another one needs no verb.
    const typed = ADDS.exec(clause)?.groups?.['things'] ?? (calls.at(-1)?.tool === 'task.add' ? clause : '')
    const items = named === null ? itemsOf(typed).map((item) => item.replace(ARTICLE, '')) : []
    if (named !== null) calls.push({ tool: 'task.done', text: named })
    else if (items.length === 0 || !items.every(isThing)) return null
    else calls.push(...items.map((item) => ({ tool: 'task.add', text: item })))
  }
  if (new Set(calls.map(({ tool }) => tool)).size < 2) return null
  return steps(...calls.map(({ tool, text: words }, at) => call(`s${at + 1}`, tool, { text: words })))
}

/** Said before what is wanted beside the rest, and behind it. */
const BESIDE =
  /^(?:(?:oh|ah|ach|ok|okay|ja|yes|please|bitte)[,!]? )*(?:and|und|also|plus|noch|auch)(?!\p{L})/iu
const MORE = [
  `(?:(?:also|noch|auch|dann|bitte|some|and|und|oh|ach|plus) )*${THINGS}(?:,? (?:too|as well|also|auch|auch noch|noch|bitte|please|dazu|drauf|on it))*`,
  `(?:add|put|stick|pop|write|note)(?: down)?(?: also)? (?:some |more )*${THINGS} (?:too|as well|also|on it|on there|on that|on)(?:,? please)?`,
  `(?:setz|schreib|pack|tu|nimm|füg)e? ${NOCH.replace(' ', '')}?${NOCH}* ?${THINGS}(?: (?:auch|noch|bitte))* (?:drauf|rauf|dazu|hinzu)`,
].map((pattern) => new RegExp(`^${pattern}[\\s.!]*$`, 'iu'))

/** "Oh and ribbon" right after the list was written; "setz noch Seife drauf" where it is of a list at all. */
function morePlan(text: string, parts: PromptParts): Plan | null {
  const [beside, ...verbs] = MORE.map((pattern) => pattern.exec(text)?.groups?.['things'])
  const put = verbs.find((one) => one !== undefined)
  const things = put ?? (BESIDE.test(parts.request.trim()) ? beside : undefined)
  if (things === undefined || NO_GOODS.test(things) || ASKS.test(things)) return null
  if (!isListLast(parts) && !(put !== undefined && isLikelyOfList(parts))) return null
  const items = itemsOf(things.trim()).map((item) => item.replace(ARTICLE, '').trim())
  if (items.length === 0 || !items.every(isThing)) return null
  if (matterOf(parts.request, TOOL_PHRASES, momentOf(parts)) !== null) return null
  return steps(...items.map((item, at) => call(`s${at + 1}`, 'task.add', { text: item })))
}

/** The last thing that was done is a row of the list. */
function isListLast({ metadata }: PromptParts): boolean {
  const last = metadata.find(({ root }) => root === 'w1')?.action
  return last === 'task.add' || last === 'task.done'
}

function isLikelyOfList(parts: PromptParts): boolean {
  return likelyOf(parts.request, momentOf(parts)).some(
    ({ label, score }) => OF_LIST.has(label) && score >= LEAST,
  )
}

/** A question or a doing is no thing. */
const ASKS =
  /^(?:wh\p{L}+|how|is|are|do|does|did|can|has|have|w(?:as|er|ann|o|ie|arum|elche\p{L}*)|ist|sind|hat|hast|gibt|i|you|he|she|we|they|ich|du|er|wir|sie|ihr)(?!\p{L})/iu

const STRIKES =
  /^(?:(?:please|bitte|ok|okay|and|und|also|dann) )*(?:(?:cross|strike|scratch|tick)(?: off| out)?|streiche?|hake?) (?:(?:please|bitte|noch|auch) )*(?<thing>\S.*?)(?: (?:off|out|weg|raus|runter|durch|ab|bitte|please|too|auch|noch|wieder))*[\s.!]*$/iu
const HAS =
  /^(?:(?:ok|okay|so|also|die|das|den|der|ja) )*(?<thing>\S.*?) (?:hab|habe|haben|hätte|hätten) (?:ich|wir|i|ma|mer)(?: (?:schon|jetzt|nun|bereits|auch|noch daheim|daheim|zuhause|zu hause|im wagen|im korb))*[\s.!]*$/iu
/** Several, all of them, or none. */
const NOT_ONE =
  /(?<!\p{L})(?:and|und|or|oder|all|alle[nmrs]?|everything|whole|ganze[nrs]?|not|don['’]?t|nicht|never|nie|kein\p{L}*|no)(?!\p{L})/iu
/** What somebody may have that is on no list. */
const ON_NO_LIST =
  /^(?:zeit|hunger|durst|lust|angst|frei|urlaub|feierabend|pause|recht|glück|pech|kopfweh|kopfschmerzen|fieber|stress|dienst|(?:ne |eine )?(?:frage|idee|ahnung)|spaß|nachtdienst|termine?|besuch)$/iu
/** How likely it must be of the list, where it says that something is had. */
const HAD = 0.08

/**
 * A thing that is struck or had, and no more, where nothing else was understood: nothing but a word of the
 * list can be meant, and one that is not there changes nothing.
 */
export function bareTick(parts: PromptParts): Plan | null {
  const text = coreAsTyped(parts.request).trim()
  const moment = momentOf(parts)
  if (text.length > LONGEST || /[?"“”„«»:@,;]/.test(text) || readDates(text, moment).span !== null)
    return null
  if (matterOf(parts.request, TOOL_PHRASES, moment) !== null) return null
  const struck = STRIKES.exec(text)?.groups?.['thing']
  const had = HAS.exec(text)?.groups?.['thing']
  const thing = (struck ?? had ?? '').replace(ARTICLE, '').trim()
  if (had !== undefined && ON_NO_LIST.test(thing)) return null
  const isOfList =
    struck !== undefined ||
    likelyOf(parts.request, moment).some(({ label, score }) => label === 'else:task.done' && score >= HAD)
  return isOfList && !NOT_ONE.test(thing) && isThing(thing)
    ? steps(call('s1', 'task.done', { text: thing }))
    : null
}

const TAKEN_OFF = /^(?:please )?take (?:the |my )?(?<which>[\p{L}' -]{2,40}?) off$/iu

/** By a sentence of the operation, word for word. */
function tickedIn(clause: string): string | null {
  const found = operationInMessage(clause)
  const which = found?.args?.['which'] ?? TAKEN_OFF.exec(clause.trim())?.groups?.['which']
  const isTick = found === null || found.operation.name === 'reminders.done'
  return isTick && typeof which === 'string' && isThing(which) ? which : null
}

function isThing(text: string): boolean {
  const words = wordsOf(text)
  return (
    words.length > 0 &&
    words.length <= MOST_WORDS &&
    !ELSEWHERE.test(text) &&
    !words.some((word) => NEVER.has(word) || NO_THING.has(word)) &&
    !words.every((word) => FILLER.has(word))
  )
}
