/**
 * How a mail says that its list can be left (RFC 2369, RFC 8058): an https address if the list supports one-click, otherwise a
 * mail address. Both are the sender's words, so a card shows them in full. Pure. Called by run.ts.
 */
import { isAddress, type JsonRecord } from '../../reading.ts'
import { headersOf } from './mime.ts'

export interface Leaving {
  readonly leave: 'link' | 'mail' | 'none'
  readonly url?: string
  readonly address?: string
  readonly subject?: string
}

/** Maximum UTF-16 units of such a header, of an address on a card, and of a subject. */
const MAX_HEADER = 5_000
const MAX_URL = 2_048
const MAX_SUBJECT = 200
const USUAL_SUBJECT = 'unsubscribe'

export function leavingOf(payload: JsonRecord): Leaving {
  const [header, ...others] = headersOf(payload, 'list-unsubscribe')
  // With two such headers it is unknown which is the list's.
  if (header === undefined || others.length > 0 || header.length > MAX_HEADER) return { leave: 'none' }
  const ways = [...header.matchAll(/<([^<>]{1,2048})>/g)].map(([, way = '']) => way.replace(/\s+/g, ''))
  const [post, ...more] = headersOf(payload, 'list-unsubscribe-post')
  const isOneClick = more.length === 0 && /^\s*List-Unsubscribe=One-Click\s*$/i.test(post ?? '')
  const link = isOneClick ? ways.find(isPlainHttps) : undefined
  if (link !== undefined) return { leave: 'link', url: link }
  const [mail] = ways.flatMap((way) => mailIn(way) ?? [])
  return mail ?? { leave: 'none' }
}

function isPlainHttps(way: string): boolean {
  const url = URL.parse(way)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && way.length <= MAX_URL
}

/** Uses the address and the subject only; ignores copies, headers and a text that the sender requests. */
function mailIn(way: string): Leaving | null {
  const url = URL.parse(way)
  if (url?.protocol !== 'mailto:') return null
  const address = decoded(url.pathname)
  if (address === null || !isAddress(address)) return null
  const wanted = url.searchParams.get('subject') ?? ''
  const subject = /^[\p{L}\p{N} .,:;_+=@/-]{1,200}$/u.test(wanted)
    ? wanted.slice(0, MAX_SUBJECT)
    : USUAL_SUBJECT
  return { leave: 'mail', address, subject }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
