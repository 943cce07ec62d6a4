/**
 * Reads names and addresses of vCards (RFC 2426, RFC 6350, and what is left of version 2.1) with ical.js. Everything else, such as pictures, is
 * taken out before anything is parsed. Whoever shares a book wrote it. Must not send requests. Called by carddav.ts.
 */
import ICAL from 'ical.js'
import type { BookCard } from '../../integrations/tools/addressbook/shape.ts'

/** UTF-16 units of one line with its folds: a name or an address is shorter. */
const MAX_LINE = 2_000
/** Lines of one card that are read. */
const MAX_LINES = 100
const READ =
  /^(?:[A-Za-z0-9-]{1,40}\.)?(?:BEGIN|END|VERSION|FN|N|NICKNAME|ORG|EMAIL|KIND|X-ADDRESSBOOKSERVER-KIND)(?:;[^:\n]*)?:/i
const QUOTED = /;(?:ENCODING=|TYPE=)?QUOTED-PRINTABLE(?=[;:])/i

/** Cards of one text, which may hold several; those that cannot be understood are left out, and groups of people are none. */
export function cardsIn(text: string): readonly BookCard[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/^(?=BEGIN:VCARD)/im)
    .flatMap((one) => cardOf(one) ?? [])
}

function cardOf(text: string): BookCard | null {
  const lines = linesOf(text).filter((line) => READ.test(line))
  if (lines.length === 0 || lines.length > MAX_LINES) return null
  try {
    const parsed: unknown = ICAL.parse(lines.map(decoded).join('\r\n'))
    if (!Array.isArray(parsed)) return null
    const card = new ICAL.Component(parsed as ConstructorParameters<typeof ICAL.Component>[0])
    if (card.name !== 'vcard' || isGroup(card)) return null
    return { names: namesOf(card), emails: emailsOf(card) }
  } catch {
    return null
  }
}

/** One line with what was folded from it. */
interface Unfolding {
  readonly parts: string[]
  length: number
  /** Its value goes on after an equals sign. */
  isQuoted: boolean
  isHead: boolean
}

/** Without folds: of lines by a space, of quoted-printable by an equals sign. No line that is too long is joined. */
function linesOf(text: string): readonly string[] {
  const lines: Unfolding[] = []
  let isSoft = false
  for (const line of text.split(/\r\n?|\n/)) {
    const isFolded: boolean = isSoft || /^[ \t]/.test(line)
    const last = isFolded ? lines.at(-1) : undefined
    const own: string = last === undefined ? line : isSoft ? line.trimStart() : line.slice(1)
    const one: Unfolding = last ?? { parts: [], length: 0, isQuoted: false, isHead: true }
    if (last === undefined) lines.push(one)
    if (one.isHead) one.isQuoted ||= QUOTED.test(own)
    one.isHead &&= !own.includes(':')
    isSoft = one.isQuoted && own.endsWith('=')
    const part = isSoft ? own.slice(0, -1) : own
    one.length += part.length
    if (one.length <= MAX_LINE) one.parts.push(part)
  }
  return lines.flatMap(({ parts, length }) => (length <= MAX_LINE ? [parts.join('')] : []))
}

/** Of version 2.1: the value in its own charset becomes text, and the marks of both go. */
function decoded(line: string): string {
  const at = line.indexOf(':')
  const [head, value] = [line.slice(0, at), line.slice(at + 1)]
  const charset = /;CHARSET="?([A-Za-z0-9_-]{1,30})"?/i.exec(head)?.[1] ?? 'utf-8'
  // Of version 2.1 a type stands without its name.
  const plain = head.replace(/;CHARSET="?[^;:"]*"?/i, '').replace(/;([A-Za-z0-9-]+)(?=;|$)/g, ';TYPE=$1')
  if (!QUOTED.test(`${plain}:`)) return `${plain}:${value}`
  const rest = `${plain}:`.replace(QUOTED, '')
  return `${rest}${fromQuoted(value, charset)}`
}

function fromQuoted(text: string, charset: string): string {
  const bytes: number[] = []
  for (const [whole, hex] of text.matchAll(/=([0-9A-Fa-f]{2})|[\s\S]/g))
    bytes.push(...(hex === undefined ? new TextEncoder().encode(whole) : [Number.parseInt(hex, 16)]))
  const words = decoderOf(charset).decode(new Uint8Array(bytes))
  // A line break would be a line of the card.
  return words.replace(/[\r\n]+/g, ' ')
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

function isGroup(card: ICAL.Component): boolean {
  return ['kind', 'x-addressbookserver-kind'].some((name) =>
    /^(?:group|org|location)$/i.test(textOf(card.getFirstProperty(name))),
  )
}

function namesOf(card: ICAL.Component): readonly string[] {
  const structured: unknown = card.getFirstPropertyValue('n')
  const [family = '', given = ''] = Array.isArray(structured) ? structured.map(String) : []
  return [
    ...card.getAllProperties('fn').map(textOf),
    `${given} ${family}`.trim(),
    ...card.getAllProperties('nickname').map(textOf),
  ]
}

/** Those that are preferred first: `PREF=1` of version 4, `TYPE=pref` of version 3. */
function emailsOf(card: ICAL.Component): readonly string[] {
  return card
    .getAllProperties('email')
    .map((one, at) => ({ email: textOf(one), rank: rankOf(one) * MAX_LINES + at }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ email }) => email)
}

function rankOf(property: ICAL.Property): number {
  const pref = Number(property.getFirstParameter('pref'))
  if (Number.isInteger(pref) && pref >= 1 && pref <= 100) return pref
  const types: unknown = property.getParameter('type')
  const isPreferred = [types].flat().some((type) => /^pref$/i.test(String(type)))
  return isPreferred || property.getParameter('pref') !== undefined ? 1 : 101
}

function textOf(property: ICAL.Property | null): string {
  const value: unknown = property?.getFirstValue()
  return typeof value === 'string' ? value : ''
}
