/**
 * Renders the approval card: the exact arguments that will run, in kernel words (F-03). Made from the canonical bytes
 * that the digest binds, destinations first, invisible characters made visible; long text is folded with a count and
 * available in full, in pages. Must not omit anything: what a manifest declares as usual, and names that only machines
 * read, share one line. Called by authorize.ts, drive.ts, shell.ts and the terminal.
 */

import { digestOf } from '../../flow/digest.ts'
import { leavesOf } from '../../flow/field.ts'
import { canonicalJson, type Json } from '../../flow/json.ts'
import { describeLabel } from '../../flow/label.ts'
import { derive, type Labeled } from '../../flow/labeled.ts'
import type { Contact } from '../../powers/ports.ts'
import type { ReasonCode } from '../../reasons.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { calledArgs } from '../../tool/target.ts'
import { argName, cardWords, valueName } from '../../tool/worded.ts'
import { instantOf } from '../../wording/output.ts'
import { continues, previewOf } from '../../wording/visible.ts'
import { questionFor, type Saying, tell, wordsFor } from '../../wording/words.ts'
import { AUTHORS, type Author, type Authors } from './authors.ts'
import { clocksOn, whenOn } from './card-times.ts'
import { postRemarks } from './post-remarks.ts'
import { seriesLines } from './series-words.ts'

/** Lines of one value shown before the card folds it: one screen. */
export const SHOWN_LINES = 8
/** UTF-16 units of one line shown before the card folds it; longer than any mail address. */
export const SHOWN_LINE = 400
/** Hex digits of the digest of folded text: two texts that differ only there look different. */
const DIGEST_DIGITS = 24

/** Labels of the buttons of a card. */
export function yesNo(): { readonly yes: string; readonly no: string; readonly more?: string } {
  return { yes: tell('approvals.button_yes'), no: tell('approvals.button_no') }
}

/** Under a card that nobody answered in time. */
export function askAgainLabel(): { readonly yes: string; readonly no: string; readonly again: string } {
  return { ...yesNo(), again: tell('approvals.button_again') }
}

/** Labels of the buttons of a question with options, each of which has its number. */
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
    const all = inOrder(action, Object.keys(bytes))
    const names = all.filter((name) => !isUsual(action, name, bytes[name]))
    const isAside = (name: string): boolean => !names.includes(name) || isHandle(action, authors, name)
    const handles = all.filter((name) => isAside(name) && isShort(bytes[name]))
    const lines = all.flatMap((name) => {
      if (handles.includes(name)) return []
      const value = bytes[name] ?? null
      const spec = action.args.fields[name]
      const [called, said] = [argName(action, name), valueName(action, spec, value)]
      if (said !== null) return `  ${called}: ${said}`
      const when = spec?.kind === 'date' ? whenOn(name, value, { timezone, now }) : null
      return when === null
        ? previewOf(called, value, (address) => noteOn(contacts, address))
        : `  ${called}: ${when} ⟨${String(value)}⟩`
    })
    const looked = handles.map((name) => `${argName(action, name)}: ${[bytes[name]].flat().join(', ')}`)
    return [
      tell('approvals.may_i', { what: cardWords(action)?.ask ?? action.description, id: action.id }),
      ...lines,
      ...seriesLines(action, bytes, { timezone, now }),
      ...(looked.length === 0 ? [] : [`  (${looked.join(', ')})`]),
      ...remarksOn(action, bytes, now),
      ...postRemarks(action, bytes),
      ...clocksOn(action, bytes, timezone),
      ...opensOn(action, reason),
      `${goesTo(action, sink, label, bytes)} ${writtenBy(action, authors, names)}`.trimEnd(),
      ...(cut ? [wordsFor('answer_cut')] : []),
      whyAsked(reason, authors),
    ].join('\n')
  })
}

/** Whether an argument is a name that only machines use: looked up, and told by other lines of the card. */
function isHandle(action: RegisteredAction, authors: Authors, name: string): boolean {
  const spec = calledArgs(action).fields[name]
  const isGiven = (['owner', 'assistant', 'approved'] as const).some((author) =>
    authors[author]?.includes(name),
  )
  const one = spec?.kind === 'list' ? spec.of : spec
  return one?.kind === 'id' && one.destination !== true && !isGiven
}

/** Handles share one line, so none may hold a sign that separates two of them. */
function isShort(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one: Json) => isShort(one))
  return typeof value === 'string' && /^[A-Za-z0-9"._@:%+/=-]{1,120}$/.test(value)
}

/** What is not there, and what has passed. */
function remarksOn(
  action: RegisteredAction,
  values: { readonly [name: string]: Json },
  now: number,
): readonly string[] {
  const { args } = action
  const card = cardWords(action)
  const isPast = (name: string): boolean => {
    const at = args.fields[name]?.kind === 'date' ? instantOf(values[name] ?? null) : null
    return at !== null && at < now
  }
  const absent = Object.entries(card?.without ?? {}).filter(([name]) => isEmpty(values[name]))
  const past = Object.entries(card?.past ?? {}).filter(([name]) => isPast(name))
  return [...absent, ...past].map(([, remark]) => remark)
}

/** What else a yes covers: only the card that says it gives a yes for it (call/covered.ts). */
function opensOn({ opens }: RegisteredAction, reason: ReasonCode): readonly string[] {
  return opens === undefined || reason !== 'disclosure_asks'
    ? []
    : [tell('approvals.opens', { count: opens.most })]
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

function whyAsked(reason: ReasonCode, { assistant, others }: Authors): string {
  if (reason !== 'write_raw' || others !== undefined) return questionFor(reason)
  return tell(assistant === undefined ? 'wording.asks_decided' : 'wording.asks_mine')
}

/** `sink:calendar:owner` is the owner's own; any other is named with what flows there. */
function goesTo(
  action: RegisteredAction,
  sink: string,
  label: string,
  values: { readonly [name: string]: Json },
): string {
  if (action.target !== undefined) return readBy(action, values[action.target.field] ?? null)
  if (tellsHosts(action)) return tell('approvals.goes_to_service', { hosts: namesOf(action.tool.network) })
  if (action.semantics === 'write' && action.reaches === 'public') return tell('approvals.goes_to_everyone')
  if (action.asks === 'always')
    return tell(reachesGiven(action) ? 'approvals.goes_to_people' : 'approvals.goes_to_named')
  const own = OWN_SINK.exec(sink)?.[1]
  return own === undefined
    ? tell('approvals.goes_to', { sink: sink.replace(/^sink:/, ''), label })
    : tell('approvals.goes_to_own', { own })
}

/** Whether addresses are among the arguments; otherwise a lookup names who gets it. */
function reachesGiven({ args }: RegisteredAction): boolean {
  return leavesOf(args).some(([, leaf]) => leaf.destination === true)
}

/** Who reads what is written, as it was looked up; in the words of the tool. */
function readBy(action: RegisteredAction, found: Json): string {
  const readers = cardWords(action)?.readers ?? {}
  const said = typeof found === 'string' && Object.hasOwn(readers, found) ? readers[found] : undefined
  return said ?? tell('approvals.readers_unknown')
}

const OWN_SINK = /^sink:([a-z]{1,40}):owner$/

/** Declared as what goes without saying, such as the account that is meant where none is named. */
function isUsual({ usual = {} }: RegisteredAction, name: string, value: Json | undefined): boolean {
  return Object.hasOwn(usual, name) && usual[name] === value
}

/** Who wrote it all, or else who wrote what, of those that are shown. */
function writtenBy(action: RegisteredAction, authors: Authors, shown: readonly string[]): string {
  const of = (author: Author): readonly string[] =>
    (authors[author] ?? []).filter((name) => shown.includes(name)).map((name) => argName(action, name))
  const found = AUTHORS.filter((author) => of(author).length > 0)
  const [only] = found
  if (only === undefined) return ''
  if (found.length === 1) return tell(WRITTEN[only].all)
  return found.map((author) => tell(WRITTEN[author].part, { names: of(author).join(', ') })).join(' ')
}

/**
 * The card as sent: a value of many lines, or a very long line, ends in a count of what is folded and a digest of it.
 * `id` and `number` request the full card; cards made before numbers existed have none.
 */
export function foldCard(card: string, id: string, number: number | null = null): string {
  const whole =
    number === null ? `pfar approvals show ${id}` : `/approvals ${number} (pfar approvals show ${number})`
  const shown: string[] = []
  let hidden: string[] = []
  let run = 0
  const flush = (): void => {
    if (hidden.length > 0) shown.push(foldLine(hidden, whole))
    hidden = []
  }
  for (const line of card.split('\n')) {
    run = continues(line) ? run + 1 : 0
    if (run >= SHOWN_LINES) hidden.push(line)
    else {
      flush()
      shown.push(cutLine(line, whole))
    }
  }
  flush()
  return shown.join('\n')
}

function foldLine(lines: readonly string[], whole: string): string {
  const text = lines.join('\n')
  const marks = lines.reduce((sum, line) => sum + line.indexOf('| ') + 2, 0)
  const count = text.length - marks - (lines.length - 1)
  const many =
    lines.length === 1 ? tell('approvals.more_line') : tell('approvals.more_lines', { lines: lines.length })
  const more = tell('approvals.more_characters', { many, count })
  return `    … ${more} ⟨${digestOf(text).slice(0, DIGEST_DIGITS)}⟩ ${whole}`
}

/** Never cuts inside an escape, whose second half would look like text. */
function cutLine(line: string, whole: string): string {
  if (line.length <= SHOWN_LINE) return line
  const head = line.slice(0, SHOWN_LINE).replace(/⟨[^⟩]*$|[\ud800-\udbff]$/, '')
  const rest = line.slice(head.length)
  const more = tell('approvals.more_of_line', { count: rest.length })
  return `${head}\n    … ${more} ⟨${digestOf(rest).slice(0, DIGEST_DIGITS)}⟩ ${whole}`
}

function tellsHosts({ args }: RegisteredAction): boolean {
  return Object.values(args.fields).some((spec) => leavesOf(spec).some(([, leaf]) => leaf.disclosed === true))
}

function namesOf(hosts: readonly string[]): string {
  return hosts.join(' and ')
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

/** UTF-16 units of a page: fits one message of any channel with its surrounding text. */
export const PAGE_UNITS = 2_400
/** Lines of a page: one screen. */
export const PAGE_LINES = 40
/** What the button under a shortened card, and under its pages, turns to. */
export const TURNS = Object.freeze(['all', 'next', 'first'] as const)
export type Turn = (typeof TURNS)[number]

/** Its label. */
export function turnLabel(turn: Turn): string {
  return tell(`approvals.turn_${turn}`)
}

/** Prefix of a line continued from the previous page; no line of a card begins like this. */
export const GOES_ON = '    ↳ '

/** The names by which the full card is requested. */
export interface CardName {
  readonly name: string
  readonly number: number | null
}

/**
 * What is shown of a card: first its short form, or the first page when that is too long for one message; then each
 * page of the full card, then from the start. `page` counts from 1; 0 is the short form. `more`: what requests the
 * next page; null for a card shown in full.
 */
export function cardFace(
  card: string,
  page: number,
  { name, number }: CardName,
): { readonly text: string; readonly more: Turn | null } {
  const short = foldCard(card, name, number)
  if (page === 0 && short.length <= PAGE_UNITS) return { text: short, more: short === card ? null : 'all' }
  const [pages, at] = [pagesOf(card), Math.max(page, 1)]
  return { text: pageText(pages, at - 1), more: at < pages.length ? 'next' : 'first' }
}

/** The page after this one; 0 after the last. */
export function pageAfter(card: string, page: number, { name, number }: CardName): number {
  const isLong = foldCard(card, name, number).length > PAGE_UNITS
  const next = isLong ? Math.max(page, 1) + 1 : page + 1
  return next <= pagesOf(card).length ? next : 0
}

export function pagesOf(card: string): readonly string[] {
  const pages: string[] = []
  let lines: string[] = []
  let units = 0
  const flush = (): void => {
    if (lines.length > 0) pages.push(lines.join('\n'))
    lines = []
    units = 0
  }
  for (const piece of card.split('\n').flatMap(piecesOf)) {
    if (lines.length >= PAGE_LINES || units + piece.length + 1 > PAGE_UNITS) flush()
    lines.push(piece)
    units += piece.length + 1
  }
  flush()
  return pages
}

/** `at` counts from 0. */
export function pageText(pages: readonly string[], at: number): string {
  const page = pages[at] ?? ''
  return pages.length === 1
    ? page
    : `${tell('approvals.page_of', { page: at + 1, pages: pages.length })}\n${page}`
}

/** Splits a line that fits on no page; never inside an escape, whose second half would look like text. */
function piecesOf(line: string): readonly string[] {
  const pieces: string[] = []
  let rest = line
  for (;;) {
    const mark = pieces.length === 0 ? '' : GOES_ON
    const most = PAGE_UNITS - 1 - mark.length
    if (rest.length <= most) return [...pieces, mark + rest]
    const head = rest.slice(0, most).replace(/⟨[^⟩]{0,80}$|[\ud800-\udbff]$/, '')
    pieces.push(mark + head)
    rest = rest.slice(head.length)
  }
}
