/**
 * Answers of the rules model: results first, then what failed, within the sink's length. Every claim is based on a result; without
 * any, it says so (C-25, Q-19). Called by model.ts.
 */

import { takenBy } from '#event-days'
import { untilDoneIn } from '../../../../kernel/features/reminders/until-done.ts'
import { offWords } from '../../../../kernel/features/tools/switched.ts'
import { isPlainRecord, type Json } from '../../../../kernel/flow/json.ts'
import { RECORD } from '../../../../kernel/model-call/task-record.ts'
import type { ContentView, PromptParts, TroubleView } from '../../../../kernel/prompt/parts.ts'
import { isReasonCode } from '../../../../kernel/reasons.ts'
import type { Audience } from '../../../../kernel/self/section.ts'
import { answerInMessage } from '../../../../kernel/task/answers/answer-words.ts'
import { MAX_ANSWER } from '../../../../kernel/wording/output.ts'
import { tell, wordsFor, wordsForOthers } from '../../../../kernel/wording/words.ts'
import { pointedIn } from '../../../extractors/message/message-pointed.ts'
import { actionWords, askedFor, TOOL_PHRASES } from '../../../tools/registered.ts'
import { lookedUpFor } from '../earlier/looked-up.ts'
import { STAYS } from '../earlier/taken-back.ts'
import { type AskedOfEvents, askedBy, type Said, saidOf, type Telling, typedOf } from '../said.ts'
import { isTakenLook } from '../taken.ts'
import * as words from '../words.ts'
import { MEMORY, SAVED, TRIED, TRIED_ELSE, UNKNOWN_TROUBLE } from '../words.ts'
import { type Clock, createClock, moment } from './clock.ts'
import { isTrue, itemsOf, numberOf, stringsOf, textOf } from './content.ts'
import { declined } from './declined.ts'
import { abilities, helpWithSetUp, toolOf } from './help.ts'
import { openAnswer } from './open-answer.ts'
import { factsFound } from './recalled.ts'
import { nameOf, recentOf } from './self.ts'
import { bound, clean, line, quote } from './text.ts'
import { missedBy, toldBy } from './told.ts'

/** Most lines of a result of unknown shape. */
const PLAIN_ROWS = 40

/** `ofEvents`: what home reads in a question about events. */
export function answerFor(parts: PromptParts, ofEvents?: (request: string) => AskedOfEvents): string {
  const explained = explanationOf(parts)
  const results = resultsOf(parts, ofEvents)
  const missed = missedIn(parts)
  const told = missed.length === 0 ? parts.troubles : parts.troubles.filter(isNotMissed)
  const troubles = [
    ...troubleWords(told, { explained: explained !== null, audience: parts.audience }),
    ...missed,
  ]
  const isSet = parts.contents.some(({ action }) => action === 'reminder.set')
  const until = isSet && untilDoneIn(parts.request) !== null ? [words.REMINDERS.until()] : []
  const tail = [...until, ...troubles, ...(explained === null ? [] : [explained])].join('\n')
  const room = MAX_ANSWER - (tail === '' ? 0 : tail.length + 2)
  const head = bound(results.join('\n\n'), Math.max(room, 0), words.CUT())
  const said = [head, tail].filter((part) => part !== '').join('\n\n')
  return bound(said === '' ? withoutResults(parts) : said, MAX_ANSWER, words.CUT())
}

/** Neither judges nor adds words: repeats what was read, in its order. */
export function composeFor(parts: PromptParts): string {
  const texts = parts.contents
    .map(({ content }) => clean(plainText(content)))
    .filter((text) => text.trim() !== '')
  return bound(texts.join('\n\n') || words.NOTHING_TO_SAY(), parts.output.maxChars, words.CUT())
}

function resultsOf(parts: PromptParts, ofEvents?: (request: string) => AskedOfEvents): readonly string[] {
  const said = { ...saidOf(parts), ...ofEvents?.(parts.request) }
  if (parts.contents.length === 0) return []
  const typed = typedOf(parts)
  const clock = createClock(parts.output)
  const isOwner = parts.audience === 'owner'
  const means = lookedUpFor(said, parts)
  const isTaken = isTakenLook(
    said,
    parts.contents.flatMap(({ action }) => (actionWords(action) === undefined ? [] : [action])),
  )
  return parts.contents
    .filter(({ action }) => !means.has(action))
    .map((content) => {
      const sought = parts.sought?.find(({ root }) => root === content.root)
      const telling = { said, typed, clock, isOwner, looked: askedBy(sought) }
      const words = actionWords(content.action)?.answer
      return words?.as === 'days' && isTaken
        ? takenBy(words, content.content, telling)
        : render(content, telling, parts.request)
    })
    .filter((text) => text !== '')
}

/** Of each step that picked from a list and found nothing, what it looked for and where. */
function missedIn(parts: PromptParts): readonly string[] {
  const about = { said: saidOf(parts), clock: createClock(parts.output), isOwner: parts.audience === 'owner' }
  const told = (parts.sought ?? []).flatMap((view) => {
    const telling = { ...about, typed: NOT_TYPED, looked: askedBy(view) }
    const text = view.missed ? missedBy(actionWords(view.action)?.answer, telling) : null
    return text === null ? [] : [text]
  })
  return [...new Set(told)]
}

/** A step that only picks has no tool; why it found nothing is said by `missedIn`. */
function isNotMissed({ tool, reason }: TroubleView): boolean {
  return tool !== '' || reason !== 'nothing_found'
}

const REQUESTS = TOOL_PHRASES.flatMap(({ asks }) => asks)

function render({ action, content }: ContentView, telling: Telling, request: string): string {
  const { said, typed, clock } = telling
  switch (action) {
    case 'memory.save':
      return factSaved(content, said.intent === 'memory_save' ? typed.topic : '')
    case 'memory.search':
      return factsFound(content, clock, { said, topic: typed.topic, request })
    case 'reminder.set':
    case 'reminder.about':
    case 'reminder.later':
    case 'reminder.change':
    case 'reminder.cancel':
    case 'task.add':
    case 'task.done':
      return reminderTold(action, content, clock)
    case 'reminder.list':
      return remindersTold(content, clock)
    case 'task.list':
      return rowsTold(content, clock, {
        list: 'tasks',
        head: words.LISTS.open,
        none: words.LISTS.none_open,
      })
    case 'memory.forget':
    case 'memory.correct': {
      const [text, before] = ['text', 'before'].map((name) => line(textOf(content, name), FACT_MAX))
      return action === 'memory.forget'
        ? words.MEMORY_FORGOTTEN(line(textOf(content, 'forgotten'), FACT_MAX))
        : words.MEMORY_CORRECTED(text ?? '', before ?? '')
    }
    case 'job.set':
    case 'job.stop':
    case 'job.resume':
    case 'job.skip':
    case 'job.run':
    case 'job.move':
    case 'job.remove':
      return jobChanged(content, clock)
    case 'contact.new':
      return itemsOf(content, 'people').length === 0 ? words.CONTACTS.none() : ''
    case 'contact.add': {
      const left = numberOf(content, 'left') ?? 0
      const more = words.CONTACTS.more(numberOf(content, 'more') ?? 0)
      const unread = words.CONTACTS.unread(line(textOf(content, 'unread'), FACT_MAX))
      return `${words.CONTACTS.added(numberOf(content, 'added') ?? 0)}${left > 0 ? words.CONTACTS.left(left) : ''}${more}${unread}`
    }
    // The rules model has nothing to add: the sender knows the message that they quoted, and results have sentences of their own.
    case RECORD:
    case 'message.edited':
    case 'message.quoted':
    case 'message.reply':
      return ''
    default: {
      // Words of the kernel's own, of how it is set up.
      if (action.startsWith('admin.')) return clean(textOf(content, 'said'))
      const told = actionWords(action)?.answer
      if (told === undefined) return quote(plainText(content)).text
      return toldBy(told, content, isAnswerTo(action, said) ? telling : { ...telling, typed: NOT_TYPED })
    }
  }
}

function reminderTold(action: string, content: Json, clock: Clock): string {
  const number = numberOf(content, 'number') ?? 0
  const [text, due] = [textOf(content, 'text'), textOf(content, 'due')]
  const said = text === '' ? '' : `\n${quote(text).text}`
  if (action === 'task.done') return `${words.REMINDERS.done(number)}${said}`
  if (action === 'reminder.cancel') return `${words.REMINDERS.cancelled(number)}${said}`
  if (action === 'task.add') return `${words.REMINDERS.added(number, textOf(content, 'list'))}${said}`
  const when = moment(clock.read(due) ?? clock.now, clock.now)
  if (action === 'reminder.later') return `${words.REMINDERS.later(when, number)}${said}`
  if (action === 'reminder.change') return `${words.REMINDERS.changed(when, number)}${said}`
  const again = words.REMINDERS.again(textOf(content, 'repeat'), numberOf(content, 'every') ?? 1)
  const ends = words.REMINDERS.ends(textOf(content, 'until'))
  return `${words.REMINDERS.set(`${when}${again}${ends}`, number)}${said}`
}

/** A job after a change that was planned; where its card is put, nothing has changed yet. */
function jobChanged(content: Json, clock: Clock): string {
  const job = line(textOf(content, 'job'), FACT_MAX)
  const due = clock.read(textOf(content, 'due'))
  if (isPlainRecord(content) && content['card'] === true) return words.JOBS.card(content['state'] === 'asked')
  return due === null
    ? words.JOBS.off(job, textOf(content, 'state') === 'removed')
    : words.JOBS.due(job, moment(due, clock.now))
}

/** What is due, and first what came and was not answered. */
function remindersTold(content: Json, clock: Clock): string {
  const due = { list: 'reminders', head: words.LISTS.due, none: words.LISTS.none_due }
  if (itemsOf(content, 'unanswered').length === 0) return rowsTold(content, clock, due)
  const came = { list: 'unanswered', head: words.LISTS.unanswered, none: '' }
  const first = rowsTold({ unanswered: [...itemsOf(content, 'unanswered')] }, clock, came)
  return itemsOf(content, 'reminders').length === 0 ? first : `${first}\n${rowsTold(content, clock, due)}`
}

/** By number, as the commands name them. */
function rowsTold(
  content: Json,
  clock: Clock,
  { list, head, none }: { readonly list: string; readonly head: string; readonly none: string },
): string {
  const rows = itemsOf(content, list).map((row) => {
    const wall = clock.read(textOf(row, 'due'))
    const when = wall === null ? '' : `${moment(wall, clock.now)}: `
    const on = textOf(row, 'list')
    const what = line(textOf(row, 'text'), FACT_MAX)
    return `${numberOf(row, 'number') ?? 0}. ${when}${what}${on === '' ? '' : ` (${on})`}`
  })
  const left = numberOf(content, 'more') ?? 0
  if (rows.length === 0) return none
  return [head, ...rows, ...(left > 0 ? [words.MORE_ROWS(left)] : [])].join('\n')
}

const NOT_TYPED = { topic: '', person: '' }

/** Whether the request asked for this result itself: otherwise the request's words do not belong to it. */
function isAnswerTo(action: string, { intent }: Said): boolean {
  return REQUESTS.some(
    (phrase) => phrase.intent === intent && phrase.plan.some(({ tool }) => tool === action),
  )
}

/** Codes of a message that was not read. */
const UNREAD: ReadonlySet<string> = new Set(['not_understood', 'not_available', 'needs_named'])

/** Why the plan was empty, with what can be asked instead where that helps (Q-13). */
function explanationOf(parts: PromptParts): string | null {
  const code = parts.instruction
  if (code === null) return null
  if (UNREAD.has(code) && answerInMessage(parts.request) !== null) return words.NOTHING_ASKED()
  const open = openAnswer(parts)
  if (open !== null) return open
  const pointed = code === 'needs_named' ? pointedIn(parts.request) : null
  if (pointed !== null)
    return (pointed.is === 'pronoun' ? words.NEEDS_NAMED : words.NEEDS_REQUEST)(pointed.word)
  if (code.startsWith(STAYS)) return words.STAYS(doingOf(code.slice(STAYS.length)))
  if (!Object.hasOwn(words.EXPLANATIONS, code)) return askedFor(code)
  const reason = words.EXPLANATIONS[code as words.Explanation]
  if (code !== 'not_understood' && code !== 'not_available') return reason
  return abilities(parts.tools).length === 0 ? reason : declined(reason, code, parts)
}

/** What an action does, as a person reads it: of the kernel's own, what can be asked for. */
function doingOf(action: string): string {
  const own = actionWords(action)?.progress
  return (
    own ?? (Object.hasOwn(words.ABILITIES, action) ? (words.ABILITIES[action]?.split(':')[0] ?? '') : action)
  )
}

function withoutResults(parts: PromptParts): string {
  switch (saidOf(parts).intent) {
    case 'greeting':
      return words.GREETING()
    case 'chat':
      if (words.GREETS(parts.request.slice(0, 200), nameOf(parts))) return words.GREETING()
      return tell(
        words.CHAT.find(([pattern]) => pattern.test(parts.request.slice(0, 200)))?.[1] ??
          words.CHAT_ELSE(parts.request),
      )
    case 'help':
      return helpWithSetUp(parts)
    case 'recent':
      return recentOf(parts)
    default:
      return words.NOTHING_TO_SAY()
  }
}

function plainText(content: Json): string {
  return typeof content === 'string' ? content : stringsOf(content).slice(0, PLAIN_ROWS).join('\n')
}

/** Reasons that need the name of what was tried; the others are sentences on their own. */
const NEEDS_SUBJECT =
  /^(?:remote_|network_|response_|credential_|host_|scheme_|address_|url_|redirect_|field_|token_|reference_|tool_(?:failed|timeout|result_invalid|arguments_invalid|unavailable)$|storage_|internal_|condition_)/

interface Reader {
  /** An empty plan has been explained already. */
  readonly explained: boolean
  readonly audience: Audience
}

/** Removes repeated sentences. */
export function troubleWords(
  troubles: readonly TroubleView[],
  { explained, audience }: Reader,
): readonly string[] {
  const told = troubles
    .filter(({ reason }) => !(explained && reason === 'plan_empty'))
    .map((trouble) => sentence(trouble, audience))
  return [...new Set(told)]
}

function sentence({ tool, reason }: TroubleView, audience: Audience): string {
  const own = actionWords(tool)?.reasons ?? {}
  if (audience === 'owner' && Object.hasOwn(own, reason))
    return `${actionWords(tool)?.failed ?? TRIED_ELSE()} ${own[reason]}`
  if (audience === 'owner' && reason === 'credential_missing') return unconnected(tool)
  if (audience === 'owner' && reason === 'service_off') return switchedOff(tool)
  const words = audience === 'owner' ? wordsFor : wordsForOthers
  const why = isReasonCode(reason) ? words(reason) : UNKNOWN_TROUBLE()
  if (tool === '' || !NEEDS_SUBJECT.test(reason)) return why
  return `${actionWords(tool)?.failed ?? (Object.hasOwn(TRIED, tool) ? TRIED[tool] : TRIED_ELSE())} ${why}`
}

/** Names the service and the command, where the tool declares them. */
function unconnected(tool: string): string {
  const { credential, connect } = toolOf(tool) ?? {}
  const failed = actionWords(tool)?.failed ?? TRIED_ELSE()
  return connect === undefined || typeof credential !== 'string'
    ? `${failed} ${wordsFor('credential_missing')}`
    : `${failed} ${words.UNCONNECTED(connect.title, credential)}`
}

/** Names the service and how it comes back. */
function switchedOff(tool: string): string {
  const { connect } = toolOf(tool) ?? {}
  return connect === undefined ? wordsFor('service_off') : offWords(connect.title)
}

const FACT_MAX = 400
function factSaved(content: Json, topic: string): string {
  if (isTrue(content, 'known')) return words.KNOWN(line(topic, FACT_MAX))
  if (!isTrue(content, 'saved')) return MEMORY.not_saved
  return SAVED(line(topic, FACT_MAX))
}
