/**
 * The order of a prompt's text (DESIGN §4; docs/decisions/006): identity, rules, self, role; tools and short rules; the
 * conversation, which only grows at its end; then time, data and request. Each call shares the longest prefix with the one
 * before. Values are written as JSON, so that no line of one looks like a section. Pure text; called by finalize.ts.
 */
import { canonicalJson, type Json, mapStrings } from '../flow/json.ts'
import { isReasonCode } from '../reasons.ts'
import { renderSelf } from '../self/render.ts'
import type { Audience, SelfSection } from '../self/section.ts'
import { nameIn } from '../self/snapshot.ts'
import { clockLine, formatMinute, zonedMinute } from '../wording/output.ts'
import { meaningFor } from '../wording/words.ts'
import type { BlockName } from './budget.ts'
import { named } from './identity.ts'
import { dataBlock } from './outside.ts'
import type {
  ContentView,
  DirectivePlace,
  MetadataView,
  PromptParts,
  PromptTexts,
  ToolCard,
  TroubleView,
} from './parts.ts'
import { usableTools } from './shown-tools.ts'
import { toolLines } from './tool-lines.ts'

/** The parts of a prompt's text, in order. */
export interface Layout {
  /** Byte for byte equal in all calls of one purpose, until the assistant itself changes. Contains no time, id or version. */
  readonly stable: string
  /** Equal until the template, the available tools or the owner's files change. Its end is the system's last line. */
  readonly session: string
  /** Pieces that end in a line break. A later call begins with the same pieces, so nothing in them counts, dates or renames. */
  readonly history: readonly string[]
  /** For this call only. */
  readonly now: string
}

export function layOut(
  parts: PromptParts,
  texts: PromptTexts,
  { boundary, identity }: { readonly boundary: string; readonly identity: string },
): Layout {
  const { sections, version } = parts.self
  const told = sections.filter((each) => !isAlwaysInPrompt(each, parts))
  const plans = parts.purpose === 'plan'
  const self = renderSelf({ sections: told, audience: parts.audience, words: texts.self, plans })
  const own = (place: DirectivePlace): readonly string[] =>
    parts.directives.filter((each) => each.place === place).map(({ name, text }) => `## ${name}\n${text}`)
  const role = texts.roles[parts.purpose]
  const { now: localTime, ...form } = parts.output
  // A planner's rules are in its role text: it writes no answer and reads no text by others.
  const stable = [identity, plans ? '' : texts.rules, self.stable, role, parts.document, ...own('stable')]
  const blocks = (which: (name: BlockName) => boolean): readonly string[] =>
    parts.blocks
      .filter(({ name }) => which(name))
      .map(({ name, text, outside }) =>
        outside === true
          ? dataBlock({ boundary, name, body: canonicalJson(text) })
          : `[${NAME_IN_PROMPT[name] ?? name}] ${text}`,
      )
  const tools = usableTools(parts.tools)
  const always = tools.filter(({ shown }) => shown === undefined)
  const forThis = plans ? tools.filter(({ shown }) => shown === 'now') : []
  const session = [
    ...blocks(isOfSession),
    ...section('tools', toolLines(always)),
    ...section('more tools', namesOf(tools.filter(({ shown }) => shown !== undefined))),
    // A planner writes no answer, and its times already have the person's zone.
    ...(plans ? [] : [`[output] ${canonicalJson({ ...form })}`]),
    ...own('session'),
    ...own('last'),
    ...(plans ? [] : [named(texts.lastRules, nameIn(sections))]),
  ]
  const now = [
    `[self ${version}] [now ${clockLine(localTime, parts.output.timezone)}]`,
    self.volatile,
    ...blocks((name) => !isOfSession(name)),
    ...own('dynamic'),
    ...section(
      'metadata',
      parts.purpose === 'plan'
        ? metadataText(saidInFull(parts.metadata, parts.request), parts.output.timezone)
        : [],
    ),
    ...section('tools for this', toolLines(forThis, always)),
    ...parts.contents.map((view) =>
      dataBlock({
        boundary,
        name: `${view.root} ${view.action}`,
        body: contentText(view, parts.output.timezone),
      }),
    ),
    ...section(
      'not done',
      // A planner knows the codes; a writer gets their meaning.
      parts.troubles.map((trouble) =>
        jsonOf(plans ? trouble : { ...trouble, ...meaningOf(trouble, parts.audience) }),
      ),
    ),
    ...section('instruction', instructionOf(parts)),
    ...section('options', parts.options.map(optionText)),
    `[request]\n${parts.request}`,
  ]
  return { stable: joined(stable), session: joined(session), history: historyOf(parts), now: joined(now) }
}

/** The name that SYSTEM.md uses for the block. */
const NAME_IN_PROMPT: Partial<Readonly<Record<BlockName, string>>> = Object.freeze({
  signal_overlay: 'signal',
})

/** The environment changes when home goes offline or another model is asked, not with a message. */
function isOfSession(name: BlockName): boolean {
  return name === 'environment'
}

/** Minutes of silence after which the last turns are shown with their times, although the conversation has them too. */
const PAUSE = 10

/**
 * In an ongoing conversation its own lines show the recent turns. After a pause or a restart, this section adds their times.
 */
function isAlwaysInPrompt(section: SelfSection, { history }: PromptParts): boolean {
  if (section.kind !== 'recent' || history.length === 0) return false
  return Math.min(...section.turns.map(({ minutes }) => minutes)) < PAUSE
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/**
 * Explains a failure to a writer. In a chat of anybody but the owner, without details of how the owner's system is configured.
 */
function meaningOf({ reason }: TroubleView, audience: Audience): { readonly means?: string } {
  if (!isReasonCode(reason)) return {}
  return { means: meaningFor(reason, audience === 'owner') }
}

/** Maximum tools that are listed by name; beyond that only the services are named, and a search finds the tools. */
const MOST_NAMED = 30

/**
 * One line for each service, such as `email: archive, move`, or the services only,
 * such as `email, lamps`. For `sought` tools only the family is named.
 */
function namesOf(tools: readonly ToolCard[]): readonly string[] {
  const verbs = new Map<string, readonly string[]>()
  for (const { id, sought } of tools) {
    const [family = '', verb = ''] = id.split('.')
    verbs.set(family, [...(verbs.get(family) ?? []), ...(sought ? [] : [verb])])
  }
  if (tools.filter(({ sought }) => !sought).length > MOST_NAMED) return [[...verbs.keys()].join(', ')]
  return [...verbs].map(([family, own]) => (own.length === 0 ? family : `${family}: ${own.join(', ')}`))
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`[${name}]\n${lines.join('\n')}`]
}

/** The instruction, unless it equals the request: a step of a plan may use one text for both. */
function instructionOf({ instruction, request }: PromptParts): readonly string[] {
  return instruction === null || instruction === request ? [] : [jsonOf(instruction)]
}

/** The option as the model must copy it; quoted if it could be mistaken for anything but one line of words. */
function optionText(option: string): string {
  return /^[\p{L}\p{N}][\p{L}\p{N} ,.'’-]*$/u.test(option) ? option : jsonOf(option)
}

/** As JSON, so that it is one line whatever it contains. */
function jsonOf(item: unknown): string {
  return canonicalJson(item as Json)
}

/**
 * The heading is a piece of its own, present before the first turn: a provider can cache everything before the conversation,
 * even after the oldest turns are cut off. A greeting without tools has neither.
 */
function historyOf({ history, tools }: PromptParts): readonly string[] {
  if (history.length === 0 && tools.length === 0) return []
  return ['[history]', ...history].map((piece) => `${piece}\n`)
}

/** Minimum number of records shown as columns and rows: with fewer, the columns cost as much as they save. */
const LEAST_ROWS = 2
/** Number of newest earlier results that a planner always sees in full. */
const NEWEST = 2
/** Maximum number of adjacent results of one action that count as new. */
const OF_ONE_ACTION = 2
/** The size of nearly every handle. Only other sizes are shown. */
const USUAL_SIZE = 'line'

/**
 * Records for a planner, one per line: values as they are, a handle as `<kind …>`, named by its position. Older results show
 * the lengths of their lists, so that they can be referenced, and the items that contain a word of the request, unless a newer
 * result shows the same.
 */
export function metadataText(views: readonly MetadataView[], timezone: string): readonly string[] {
  const told = new Set<string>()
  const old = oldRoots(views)
  const lineFor = (action: string, shown: Json): string => lineOf(action, inOwnZone(shown, timezone))
  return views.map(({ root, action, fields }) => {
    if (root === SAID) return `${root} ${canonicalJson(tabled(inOwnZone(handled(fields as Json), timezone)))}`
    if (!old.has(root)) return `${root} ${lineFor(action, handled(fields as Json))}`
    const line = lineFor(action, briefly(fields as Json))
    if (told.has(line)) return `${root} ${lineFor(action, briefly(fields as Json, true))}`
    told.add(line)
    return `${root} ${line}`
  })
}

/** Root of the fields of this message; its line needs no action name. */
const SAID = 'said'
const NOTHING: ReadonlySet<unknown> = new Set([0, false, 'other'])
/** Fields about how code read the message, which a planner does not need, as it sees the words. */
const OF_READING: ReadonlySet<string> = new Set(['language', 'learned'])

/**
 * Fields of the message for a planner, without empty ones such as no files. The topic is included
 * only if it is one span within a sentence: a planner would use half a sentence, or two, as a title.
 */
export function saidInFull(views: readonly MetadataView[], request: string): readonly MetadataView[] {
  const isShown = ([name, value]: readonly [string, Json]): boolean => {
    if (name !== 'topic') return !NOTHING.has(value) && !OF_READING.has(name)
    const said = isFields(value) ? value['says'] : undefined
    return typeof said !== 'string' || isOneSpan(said, request)
  }
  return views.flatMap((view) => {
    if (view.root !== SAID) return [view]
    const told = Object.entries(view.fields as Fields).filter(isShown)
    return told.length === 0 ? [] : [{ ...view, fields: Object.fromEntries(told) }]
  })
}

/** Whether the text occurs in the request at word boundaries and within one sentence. */
function isOneSpan(said: string, request: string): boolean {
  const at = request.toLowerCase().indexOf(said.toLowerCase())
  const [before, after] = [request.slice(0, Math.max(0, at)), request.slice(at + said.length)]
  const isWords = !/[\p{L}\p{N}]['’]?$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)
  return at >= 0 && isWords && !/[.!?;]\s+\p{L}/u.test(said)
}

function lineOf(action: string, shown: Json): string {
  return `${action} ${canonicalJson(tabled(shown))}`
}

/**
 * All but the newest results. Neighbours of one action, such as the mails that a loop read, count as one, so that they do not
 * push out the list they came from; of those after the first few only the outline is shown.
 */
function oldRoots(views: readonly MetadataView[]): ReadonlySet<string> {
  const earlier = views.filter(({ root }) => /^w\d/.test(root))
  let group = 0
  let size = 0
  return new Set(
    earlier.flatMap(({ root, action }, at) => {
      const isSame = at > 0 && earlier[at - 1]?.action === action
      group += isSame ? 0 : 1
      size = isSame ? size + 1 : 1
      return group > NEWEST || size > OF_ONE_ACTION ? [root] : []
    }),
  )
}

/** Whether any handle contains a word of the request. */
function isRanked(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isRanked)
  return isFields(value) && ('rank' in value || Object.values(value).some(isRanked))
}

/**
 * Whether the value is a date, or a handle that contains a word of the request or a
 * contact's name: by these a planner can identify it.
 */
function isTelling(value: Json): boolean {
  return (
    isRanked(value) || (typeof value === 'string' ? MOMENT.test(value) : isFields(value) && 'known' in value)
  )
}

/** The lengths of its lists and, unless a newer result shows the same, the items that contain a word of the request. */
function briefly(fields: Json, isShown = false): Json {
  if (!isFields(fields)) return {}
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): (readonly [string, Json])[] => {
      const items = itemsOf(value)
      if (items === null) return !isShown && isTelling(value) ? [[name, handled(value)]] : []
      const ranked = items.flatMap((item, at) =>
        !isShown && isRanked(item) ? [[`${name}[${at}]`, handled(item)] as const] : [],
      )
      return items.length === 0 ? [] : [[name, `${items.length} items`], ...ranked]
    }),
  )
}

/** The items of a list in a planner's view. */
function itemsOf(value: Json): readonly Json[] | null {
  const isList = isFields(value) && Object.keys(value).length === 2 && 'count' in value
  return isList && Array.isArray(value['items']) ? value['items'] : null
}

/**
 * The whole result for a writer, with times in the person's time zone: `YYYY-MM-DDTHH:MM`, with seconds if not zero, and only
 * the time of day where the previous time in the same record is on the same day.
 */
export function contentText({ content }: ContentView, timezone: string): string {
  return canonicalJson(tabled(inTime(content, timezone)))
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/
const WHOLE_MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)$/
const DAY = 'YYYY-MM-DD'.length

function inTime(value: Json, timezone: string): Json {
  if (typeof value === 'string') return localMoment(value, timezone) ?? value
  if (Array.isArray(value)) return value.map((each: Json) => inTime(each, timezone))
  if (!isFields(value)) return value
  let day = ''
  // Fields are visited in the order of display, so that each day is written once.
  const fields = Object.keys(value)
    .sort()
    .map((name): [string, Json] => {
      const field = value[name] ?? null
      const moment = typeof field === 'string' ? localMoment(field, timezone) : null
      if (moment === null) return [name, inTime(field, timezone)]
      const isSameDay = moment.startsWith(day) && day !== ''
      day = moment.slice(0, DAY)
      return [name, isSameDay ? moment.slice(DAY + 1) : moment]
    })
  return Object.fromEntries(fields)
}

/** Local time, because models convert time zones badly. Null for a text that is no valid time. */
function localMoment(text: string, timezone: string): string | null {
  const found = MOMENT.exec(text)
  const at = found === null ? Number.NaN : Date.parse(text)
  if (found === null || Number.isNaN(at)) return null
  const [, seconds = '00'] = found
  return `${formatMinute(at, timezone)}${seconds === '00' ? '' : `:${seconds}`}`
}

/** A planner passes times on, so they keep an offset: that of the person's zone. */
function inOwnZone(fields: Json, timezone: string): Json {
  return mapStrings(fields, (text) => {
    const at = WHOLE_MINUTE.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(at) ? text : zonedMinute(at, timezone)
  })
}

type Fields = { readonly [key: string]: Json }

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Removes a handle's reference and a list's count, which its position and length already show. */
function handled(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => handled(each))
  if (!isFields(value)) return value
  const items = itemsOf(value)
  if (items !== null) return handled(items)
  const { kind, ref, size, ...more } = value
  if (typeof kind === 'string' && typeof ref === 'string') {
    const facts = Object.entries(more).map(([name, fact]) => `; ${name} ${String(fact)}`)
    return `<${kind}${size === USUAL_SIZE || size === undefined ? '' : ` ${String(size)}`}${facts.join('')}>`
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, handled(each)]))
}

/**
 * Lists of records as columns and rows: each name once, and in `each` the values that all records share. Missing values are
 * null.
 */
function tabled(value: Json): Json {
  if (Array.isArray(value)) {
    const items: readonly Json[] = value
    return items.length >= LEAST_ROWS && items.every(isFields) ? tableOf(items) : items.map(tabled)
  }
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tabled(each)]))
}

function tableOf(records: readonly Fields[]): Json {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].sort()
  const cells = names.map((name) => records.map((record) => tabled(record[name] ?? null)))
  const isSame = (of: readonly Json[]): boolean => new Set(of.map((cell) => canonicalJson(cell))).size === 1
  const each = names.flatMap((name, at) =>
    isSame(cells[at] ?? []) ? [[name, cells[at]?.[0] ?? null] as const] : [],
  )
  const columns = names.filter((_, at) => !isSame(cells[at] ?? []))
  const varied = cells.filter((of) => !isSame(of))
  const rows = records.map((_, row) => varied.map((of) => of[row] ?? null))
  return each.length === 0 ? { columns, rows } : { each: Object.fromEntries(each), columns, rows }
}
