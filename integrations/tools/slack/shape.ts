/**
 * Converts Slack's answers to the declared fields. Names and messages are text; ids, times, links and who reads a conversation are checked against their
 * kinds. A conversation is public only where Slack says so. Pure. Called by look.ts, unanswered.ts and people.ts.
 */
import { cleanLine, cleanText, toInstant, toLink } from '../../extractors/page-clean.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { type KINDS, SLACK_TEXT } from './manifest.ts'

export type Kind = (typeof KINDS)[number]

/** What is most likely meant for the owner comes first. */
export const KIND_ORDER: Readonly<Record<Kind, number>> = Object.freeze({
  ...{ direct: 0, group: 1, private: 2, public: 3, unknown: 4 },
})

/** Slack's ids of conversations and of people. */
export const CONVERSATION_ID = /^[CDG][A-Z0-9]{6,31}$/
export const PERSON_ID = /^[UW][A-Z0-9]{6,31}$/
/** When a message was written is its id in a conversation. */
const STAMP = /^\d{9,11}\.\d{6}$/
const PAGE = /^https:\/\/[a-z0-9.-]{1,100}\.slack\.com\/archives\/([CDG][A-Z0-9]{6,31})\/p(\d{9,11})(\d{6})$/
/** Subtypes of what people say; others are events, such as that somebody joined. */
const SPOKEN = new Set(['', 'file_share', 'thread_broadcast', 'me_message', 'reply_broadcast'])

/** Names of people by their ids, as far as they are known. */
export type Names = ReadonlyMap<string, string>

export interface Place {
  readonly id: string
  readonly kind: Kind
  /** Absent for a conversation of two. */
  readonly name: string
  /** The other one of two. */
  readonly user: string | null
}

/** Null for what has no id of Slack's. */
export function placeOf(row: JsonRecord): Place | null {
  const id = stringOf(row, 'id')
  if (!CONVERSATION_ID.test(id)) return null
  const kind = kindOf(row, id)
  const user = stringOf(row, 'user')
  const isNamed = kind === 'public' || kind === 'private' || kind === 'unknown'
  return {
    id,
    kind,
    name: isNamed ? cleanLine(stringOf(row, 'name'), SLACK_TEXT.name) : '',
    user: kind === 'direct' && PERSON_ID.test(user) ? user : null,
  }
}

/** Whatever is not said to be open to all members of the workspace counts as private. */
function kindOf(row: JsonRecord, id: string): Kind {
  if (fieldOf(row, 'is_im') === true || id.startsWith('D')) return 'direct'
  if (fieldOf(row, 'is_mpim') === true) return 'group'
  if (fieldOf(row, 'is_private') === true || fieldOf(row, 'is_group') === true) return 'private'
  return fieldOf(row, 'is_private') === false && id.startsWith('C') ? 'public' : 'unknown'
}

/** What a person said; not what a program or Slack itself did. */
export function isSpoken(row: JsonRecord): boolean {
  return SPOKEN.has(stringOf(row, 'subtype')) && stampOf(row) !== null
}

export function isByProgram(row: JsonRecord): boolean {
  return stringOf(row, 'bot_id') !== '' || stringOf(row, 'user') === 'USLACKBOT'
}

export function stampOf(row: JsonRecord): string | null {
  const stamp = stringOf(row, 'ts')
  return STAMP.test(stamp) ? stamp : null
}

/** People of these messages, and those whom they mention. */
export function peopleIn(rows: readonly JsonRecord[]): readonly string[] {
  const ids = rows.flatMap((row) => [
    stringOf(row, 'user'),
    ...[...textOf(row).matchAll(/<@([UW][A-Z0-9]{6,31})>/g)].map(([, id = '']) => id),
  ])
  return [...new Set(ids.filter((id) => PERSON_ID.test(id)))]
}

/** `site`: address of the workspace, from which links are made; null where it is not known. */
export function shapeMessage(
  row: JsonRecord,
  { place, names, site }: { readonly place: string; readonly names: Names; readonly site: string | null },
): { readonly text: string } {
  const stamp = stampOf(row)
  const at = stamp === null ? null : toInstant(Math.floor(Number(stamp)) * 1_000)
  const from = fromOf(row, names)
  const own = toLink(stringOf(row, 'permalink'))
  const link = own !== null && PAGE.test(own) ? own : stamp === null ? null : linkTo(site, place, stamp)
  return {
    ...(from !== '' && { from }),
    text: cleanText(plain(textOf(row), names), SLACK_TEXT.message),
    ...(at !== null && { at }),
    ...(link !== null && { link }),
  }
}

function fromOf(row: JsonRecord, names: Names): string {
  const known = names.get(stringOf(row, 'user'))
  const said = stringOf(row, 'username') || stringOf(recordOf(row, 'bot_profile'), 'name')
  return known ?? cleanLine(said, SLACK_TEXT.name)
}

/** A message without words may have files. */
function textOf(row: JsonRecord): string {
  const text = stringOf(row, 'text')
  if (text !== '') return text
  const files = recordsOf(row, 'files').map((file) => stringOf(file, 'title') || stringOf(file, 'name'))
  return files.filter((name) => name !== '').join('\n')
}

/** Slack's markup as people see it (https://docs.slack.dev/messaging/formatting-message-text). */
function plain(text: string, names: Names): string {
  return text
    .replace(/<([^<>]{1,4000})>/g, (_, inner: string) => reference(inner, names))
    .replace(/&(lt|gt|amp);/g, (_, sign: string) => (sign === 'lt' ? '<' : sign === 'gt' ? '>' : '&'))
}

function reference(inner: string, names: Names): string {
  const bar = inner.indexOf('|')
  const target = bar < 0 ? inner : inner.slice(0, bar)
  const label = bar < 0 ? '' : inner.slice(bar + 1)
  if (target.startsWith('@')) return `@${names.get(target.slice(1)) ?? (label || 'somebody')}`
  if (target.startsWith('#')) return `#${label || 'channel'}`
  if (target.startsWith('!')) return label || `@${target.slice(1).split('^')[0] ?? ''}`
  return label === '' || target === label ? target : `${label} (${target})`
}

/** Address of a workspace, as `auth.test` gives it. */
export function siteOf(answer: JsonRecord): string | null {
  const url = toLink(stringOf(answer, 'url'))
  return url !== null && /^https:\/\/[a-z0-9.-]{1,100}\.slack\.com\/$/.test(url) ? url : null
}

function linkTo(site: string | null, place: string, stamp: string): string | null {
  return site === null ? null : `${site}archives/${place}/p${stamp.replace('.', '')}`
}

export interface ThreadName {
  readonly channel: string
  readonly ts: string
}

/** Of the link of a message, in a thread or its first one; null for any other address. */
export function threadIn(link: string): ThreadName | null {
  const [page = '', query = ''] = link.split('?')
  const [, channel = '', seconds = '', parts = ''] = PAGE.exec(page) ?? []
  if (channel === '') return null
  const first = new URLSearchParams(query).get('thread_ts') ?? ''
  return { channel, ts: STAMP.test(first) ? first : `${seconds}.${parts}` }
}

/** Whole seconds and millionths, as Slack takes them. */
export function stampAt(milliseconds: number): string {
  return `${Math.max(0, Math.floor(milliseconds / 1_000))}.000000`
}

/** As people call somebody: the name that they chose, else their full one. */
export function personName(row: JsonRecord): string {
  const profile = recordOf(row, 'profile')
  const names = [
    stringOf(profile, 'display_name'),
    stringOf(profile, 'real_name'),
    stringOf(row, 'real_name'),
    stringOf(row, 'name'),
  ]
  return cleanLine(names.find((name) => name.trim() !== '') ?? '', SLACK_TEXT.name)
}

/** All that somebody goes by, in lower case. */
export function namesOf(row: JsonRecord): readonly string[] {
  const profile = recordOf(row, 'profile')
  const full = stringOf(profile, 'real_name') || stringOf(row, 'real_name')
  const names = [stringOf(row, 'name'), stringOf(profile, 'display_name'), full, full.split(/\s+/)[0] ?? '']
  return names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '')
}

export function countOf(row: JsonRecord, key: string): number {
  const value = fieldOf(row, key)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
