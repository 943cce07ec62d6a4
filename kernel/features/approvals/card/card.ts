/**
 * Renders the approval card: the exact arguments that will run, in kernel words (F-03), from the canonical bytes that the digest
 * binds; destinations first, invisible characters made visible. Must not omit anything: usual values, machine names and the exact
 * bytes of values shown in words share the last line. Called by ask.ts.
 */

import { leavesOf } from '../../../flow/field.ts'
import { canonicalJson, type Json } from '../../../flow/json.ts'
import { describeLabel } from '../../../flow/label.ts'
import { derive, type Labeled } from '../../../flow/labeled.ts'
import type { Contact } from '../../../powers/ports.ts'
import type { ReasonCode } from '../../../reasons.ts'
import type { RegisteredAction } from '../../../tool/registry.ts'
import { calledArgs } from '../../../tool/target.ts'
import { argName, cardWords, valueName } from '../../../tool/worded.ts'
import { clockChangeAt, instantOf, namedDay, namedMoment } from '../../../wording/output.ts'
import { previewOf } from '../../../wording/visible.ts'
import { questionFor, type Saying, tell, wordsFor } from '../../../wording/words.ts'
import { AUTHORS, type Author, type Authors } from './authors.ts'
import { postRemarks } from './post-remarks.ts'
import { seriesLines } from './series-words.ts'

/** Labels of the buttons of a card. */
export function yesNo(): { readonly yes: string; readonly no: string; readonly more?: string } {
  return { yes: tell('approvals.button_yes'), no: tell('approvals.button_no') }
}

/** Labels of the buttons under a card that nobody answered in time. */
export function askAgainLabel(): { readonly yes: string; readonly no: string; readonly again: string } {
  return { ...yesNo(), again: tell('approvals.button_again') }
}

/** Labels of the buttons of a question with options; the no button says that none of the options is meant. */
export function noneOfThese(): { readonly yes: string; readonly no: string } {
  return { ...yesNo(), no: tell('approvals.button_none') }
}

/** Added under a card once it is answered. */
export function decidedWords(decision: 'approve' | 'deny', isRule = false): string {
  if (isRule && decision === 'approve') return tell('approvals.holds_above')
  return tell(decision === 'approve' ? 'approvals.said_yes' : 'approvals.said_no')
}

interface CardInput {
  readonly action: RegisteredAction
  readonly reason: ReasonCode
  /** Sink that the call goes to. */
  readonly sink: string
  readonly contacts: readonly Contact[]
  /** An argument is a composed text that was truncated (B-37). */
  readonly cut: boolean
  readonly authors: Authors
  /** The owner's time zone. */
  readonly timezone: string
  /** Epoch milliseconds. */
  readonly now: number
}

const WRITTEN: Readonly<Record<Author, { readonly all: Saying; readonly part: Saying }>> = Object.freeze({
  owner: { all: 'approvals.all_yours', part: 'approvals.part_yours' },
  assistant: { all: 'approvals.all_mine', part: 'approvals.part_mine' },
  service: { all: 'approvals.all_looked_up', part: 'approvals.part_looked_up' },
  others: { all: 'approvals.all_others', part: 'approvals.part_others' },
  approved: { all: 'approvals.all_approved', part: 'approvals.part_approved' },
})

/** The full card; `foldCard` shortens it for sending. */
export function renderCard(
  args: Labeled<{ readonly [key: string]: Json }>,
  { action, reason, sink, contacts, cut, authors, timezone, now }: CardInput,
): Labeled<string> {
  const label = describeLabel(args.label)
  return derive(args, (values) => {
    // Rendered from the bytes that the digest covers, not from the tree they were serialised from.
    const bytes = JSON.parse(canonicalJson(values)) as { readonly [key: string]: Json }
    // Looked-up arguments are shown in words, like planned ones.
    const called = calledArgs(action)
    const all = inOrder(action, Object.keys(bytes))
    const names = all.filter((name) => !isUsual(action, name, bytes[name]))
    const isAside = (name: string): boolean => !names.includes(name) || isHandle(action, authors, name)
    const handles = all.filter((name) => isAside(name) && isShort(bytes[name]))
    const exact = handles.map((name) => `${argName(action, name)}: ${[bytes[name]].flat().join(', ')}`)
    const lines = all.flatMap((name) => {
      if (handles.includes(name)) return []
      const value = bytes[name] ?? null
      const spec = called.fields[name]
      const [title, said] = [argName(action, name), valueName(action, spec, value)]
      if (said !== null) return `  ${title}: ${said}`
      const when = spec?.kind === 'date' ? whenOn(name, value, { timezone, now }) : null
      if (when === null) return previewOf(title, value, (address) => noteOn(contacts, address))
      exact.push(`${title}: ${String(value)}`)
      return `  ${title}: ${when}`
    })
    const places = [absentFrom(action, bytes), goesTo(action, sink, label, bytes)]
    return [
      tell('approvals.may_i', { what: whatOf(action) }),
      ...lines,
      ...seriesLines(action, bytes, { timezone, now }),
      ...pastIn(action, bytes, now),
      ...postRemarks(action, bytes),
      ...clocksOn(action, bytes, timezone),
      ...opensOn(action, reason),
      [...places, writtenBy(action, authors, names)].filter((one) => one !== '').join(' '),
      ...(cut ? [wordsFor('answer_cut')] : []),
      whyAsked(action, reason, authors),
      ...(exact.length === 0 ? [] : [tell('approvals.exact', { all: exact.join(', ') })]),
    ].join('\n')
  })
}

/**
 * Adds these lines: remarks below the arguments, and sentences before the question, which is the last line,
 * or the one before the exact values.
 */
export function beforeQuestion(card: string, added: readonly string[]): string {
  const [head = '', ...lines] = card.split('\n')
  const [things, said] = [
    added.filter(isArgumentLine),
    added.filter((line) => line !== '' && !isArgumentLine(line)),
  ]
  const at = lines.length - (lines.at(-1)?.startsWith('(') === true ? 2 : 1)
  const from = lines.findIndex((line) => !isArgumentLine(line))
  return [
    head,
    ...lines.slice(0, from),
    ...things,
    ...lines.slice(from, at),
    ...said,
    ...lines.slice(at),
  ].join('\n')
}

/** A line with a name and a value, in the form of the arguments. */
function isArgumentLine(line: string): boolean {
  return line.startsWith('  ')
}

/**
 * Whether an argument is an id that only machines use: looked up, and explained by other lines of the card.
 */
function isHandle(action: RegisteredAction, authors: Authors, name: string): boolean {
  const spec = calledArgs(action).fields[name]
  const isGiven = (['owner', 'assistant', 'approved'] as const).some((author) =>
    authors[author]?.includes(name),
  )
  const one = spec?.kind === 'list' ? spec.of : spec
  return one?.kind === 'id' && one.destination !== true && !isGiven
}

/** Ids share one line, so none may contain a separator. */
function isShort(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one: Json) => isShort(one))
  return typeof value === 'string' && /^[A-Za-z0-9"._@:%+/=-]{1,120}$/.test(value)
}

/** The action: in the words of the tool, or its description and id if it has no words for people. */
export function whatOf(action: RegisteredAction): string {
  const ask = cardWords(action)?.ask
  return ask ?? `${action.description} (${action.id})`
}

/** Sentences about absent arguments that matter, such as "Nobody is invited." */
function absentFrom(action: RegisteredAction, values: { readonly [name: string]: Json }): string {
  const absent = Object.entries(cardWords(action)?.without ?? {}).filter(([name]) => isEmpty(values[name]))
  return absent.map(([, remark]) => remark).join(' ')
}

/** Remarks about dates that have already passed. */
function pastIn(
  action: RegisteredAction,
  values: { readonly [name: string]: Json },
  now: number,
): readonly string[] {
  const isPast = (name: string): boolean => {
    const at = action.args.fields[name]?.kind === 'date' ? instantOf(values[name] ?? null) : null
    return at !== null && at < now
  }
  const past = Object.entries(cardWords(action)?.past ?? {}).filter(([name]) => isPast(name))
  return past.map(([, remark]) => remark)
}

/** Further calls that this approval covers; only the card that names them covers them (call/covered.ts). */
function opensOn({ opens }: RegisteredAction, reason: ReasonCode): readonly string[] {
  return opens === undefined || reason !== 'disclosure_asks'
    ? []
    : [tell('approvals.opens', { count: opens.most })]
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Reason of the question, consistent with the line about authors. */
function whyAsked(action: RegisteredAction, reason: ReasonCode, authors: Authors): string {
  const { owner = [], assistant, others } = authors
  const texts = Object.values(authors)
    .flat()
    .filter((name) => isText(action, name))
  // The texts are the owner's own. Their label still includes what the planner had read before it took them from the message.
  if (reason === 'write_free_text' && texts.every((name) => owner.includes(name)))
    return tell('wording.asks_after_looking')
  if (reason !== 'write_raw' || others !== undefined) return questionFor(reason)
  if (assistant === undefined) return tell('wording.asks_decided')
  // A time that was calculated from the owner's words is not a text of the assistant.
  return tell(
    assistant.some((name) => isText(action, name)) ? 'wording.asks_mine' : 'wording.asks_worked_out',
  )
}

function isText(action: RegisteredAction, name: string): boolean {
  const spec = calledArgs(action).fields[name]
  return spec !== undefined && leavesOf(spec).some(([, leaf]) => leaf.kind === 'text')
}

/** Where the data goes: `sink:calendar:owner` is the owner's own; any other sink is named together with the label of the data. */
function goesTo(
  action: RegisteredAction,
  sink: string,
  label: string,
  values: { readonly [name: string]: Json },
): string {
  // An operation changes the assistant itself and sends nothing elsewhere.
  if (action.operation !== undefined) return ''
  if (action.target !== undefined) return readBy(action, values[action.target.field] ?? null)
  if (tellsHosts(action)) return tell('approvals.goes_to_service', { hosts: namesOf(action.tool.network) })
  if (action.semantics === 'write' && action.reaches === 'public') return tell('approvals.goes_to_everyone')
  if (action.asks === 'always')
    return tell(reachesGiven(action) ? 'approvals.goes_to_people' : 'approvals.goes_to_named')
  const own = OWN_SINK.exec(sink)?.[1]
  return own === undefined
    ? tell('approvals.goes_to', { sink: sink.replace(/^sink:/, ''), label })
    : tell(isToSomebody(action, values) ? 'approvals.goes_to_own_and' : 'approvals.goes_to_own', {
        own: ownPlace(own),
      })
}

/** Whether a write to the owner's own sink also names addresses of people, such as guests, who receive the data too. */
function isToSomebody({ args }: RegisteredAction, values: { readonly [name: string]: Json }): boolean {
  return Object.entries(args.fields).some(
    ([name, spec]) =>
      !isEmpty(values[name]) &&
      leavesOf(spec).some(([, leaf]) => leaf.kind === 'email' && leaf.destination === true),
  )
}

/** Name of the owner's own sink, such as the calendar; for a service, the account there. */
function ownPlace(own: string): string {
  const said = Object.hasOwn(OWN_PLACES, own) ? OWN_PLACES[own] : undefined
  return said === undefined ? tell('approvals.own_account', { own }) : tell(said)
}

const OWN_PLACES: Readonly<Record<string, Saying>> = Object.freeze({
  memory: 'approvals.own_memory',
  calendar: 'approvals.own_calendar',
  mail: 'approvals.own_mail',
  files: 'approvals.own_files',
})

/** Whether addresses are among the arguments; otherwise a lookup names who gets it. */
function reachesGiven({ args }: RegisteredAction): boolean {
  return leavesOf(args).some(([, leaf]) => leaf.destination === true)
}

/** Readers of the target, as looked up, in the words of the tool. */
function readBy(action: RegisteredAction, found: Json): string {
  const readers = cardWords(action)?.readers ?? {}
  const said = typeof found === 'string' && Object.hasOwn(readers, found) ? readers[found] : undefined
  return said ?? tell('approvals.readers_unknown')
}

const OWN_SINK = /^sink:([a-z]{1,40}):owner$/

/** Arguments declared as usual, such as the default account. */
function isUsual({ usual = {} }: RegisteredAction, name: string, value: Json | undefined): boolean {
  return Object.hasOwn(usual, name) && usual[name] === value
}

/** The author of all shown arguments, or the author of each. */
function writtenBy(action: RegisteredAction, authors: Authors, shown: readonly string[]): string {
  const of = (author: Author): readonly string[] =>
    (authors[author] ?? []).filter((name) => shown.includes(name)).map((name) => argName(action, name))
  const found = AUTHORS.filter((author) => of(author).length > 0)
  const [only] = found
  if (only === undefined) return ''
  if (found.length === 1) return tell(WRITTEN[only].all)
  return found.map((author) => tell(WRITTEN[author].part, { names: of(author).join(', ') })).join(' ')
}

function tellsHosts({ args }: RegisteredAction): boolean {
  return Object.values(args.fields).some((spec) => leavesOf(spec).some(([, leaf]) => leaf.disclosed === true))
}

/** The domain that several hosts share, if it has at least two parts; otherwise the host names themselves. */
export function namesOf(hosts: readonly string[]): string {
  const [first = [], ...others] = hosts.map((host) => host.split('.').reverse())
  const shared = first.findIndex((part, at) => others.some((other) => other[at] !== part))
  return others.length > 0 && shared >= 2 ? first.slice(0, shared).reverse().join('.') : hosts.join(', ')
}

/** Destinations come first, regardless of their names; the rest in the order of the tool's declaration. */
function inOrder(action: RegisteredAction, names: readonly string[]): readonly string[] {
  const declared = Object.keys(calledArgs(action).fields).filter((name) => names.includes(name))
  const leads = (name: string): boolean => {
    const spec = action.args.fields[name]
    return spec !== undefined && leavesOf(spec).some(([, leaf]) => leaf.destination === true)
  }
  const others = names.filter((name) => !declared.includes(name))
  return [...declared.filter(leads), ...declared.filter((name) => !leads(name)), ...others]
}

/** The owner's contact name is added after an address, never in place of it. */
export function noteOn(contacts: readonly Contact[], address: string): string | null {
  const known = contacts.find(({ email }) => email.toLowerCase() === address.toLowerCase())
  return known === undefined ? null : tell('approvals.a_contact', { name: known.name })
}

/** A date without a time. */
const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/
const DAY = 86_400_000
/** Names of the arguments of a span of whole days: its first day, and the day after its last day. */
const [BEGIN, END] = ['from', 'to']

/** Null for a value that is no date. The end of a span of whole days is exclusive, so the text names the day before it. */
export function whenOn(
  name: string,
  value: Json,
  on: { readonly timezone: string; readonly now: number },
): string | null {
  const at = instantOf(value)
  if (at !== null) return namedMoment(at, on.timezone, on.now)
  const day = typeof value === 'string' && DAY_ONLY.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(day)) return null
  if (name === END) return tell('approvals.day_ends', { day: namedDay(day - DAY, on.timezone, on.now) })
  const said = namedDay(day, on.timezone, on.now)
  return name === BEGIN ? tell('approvals.all_day', { day: said }) : said
}

/** A time near a clock change may be skipped or occur twice that night. */
function clocksOn(
  action: RegisteredAction,
  values: { readonly [name: string]: Json },
  timezone: string,
): readonly string[] {
  return Object.keys(values).flatMap((name) => {
    const at = action.args.fields[name]?.kind === 'date' ? instantOf(values[name] ?? null) : null
    const change = at === null ? null : clockChangeAt(at, timezone)
    return change === null ? [] : [tell(CLOCKS[change], { name: argName(action, name) })]
  })
}

const CLOCKS = Object.freeze({
  skipped: 'approvals.clocks_skip',
  first: 'approvals.clocks_first',
  second: 'approvals.clocks_second',
} as const)
