/**
 * An address book account at a CardDAV server (RFC 6352): finds its books, and reads who is in them. What a server sends is bounded in cards, bytes
 * and time. Must not write, follow to another server, or retry. Called through addressbook-accounts.ts and by `pfar connect contacts`.
 */
import { type BookCard, peopleIn } from '../../integrations/tools/addressbook/shape.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../kernel/tool/manifest.ts'
import { DAV, multistatus, pathOf, type Server } from '../calendar/dav.ts'
import { childrenOf, nodeAt } from '../calendar/xml.ts'
import type { CarddavSettings } from './addressbook-settings.ts'
import { cardsIn } from './vcard.ts'

const CARD = 'urn:ietf:params:xml:ns:carddav'
const HEAD = `<?xml version="1.0" encoding="utf-8"?>`
const SPACES = `xmlns:D="${DAV}" xmlns:C="${CARD}"`
/** What of a card is asked for; few servers leave the rest out. */
const WANTED = ['VERSION', 'FN', 'N', 'EMAIL', 'KIND', 'NICKNAME', 'X-ADDRESSBOOKSERVER-KIND']
const DATA = `<D:prop><C:address-data>${WANTED.map((name) => `<C:prop name="${name}"/>`).join('')}</C:address-data></D:prop>`

/** Books of one account. */
const MAX_BOOKS = 20
/** Cards of one read that have to be asked for one batch after another. */
const MAX_CARDS = 5_000
/** Cards of a batch: with pictures, a few megabytes. */
const BATCH = 100
/** Milliseconds of one read, within the deadline of a call. */
const MAX_TIME = 20_000

export interface DavBook {
  readonly path: string
  readonly name: string
}

export async function runCarddav(call: ToolCall, settings: CarddavSettings): Promise<ToolOutcome> {
  const { server: origin, user, home } = settings
  const server: Server = { server: origin, user, credential: call.credential, http: call.http }
  const until = performance.now() + MAX_TIME
  const { who } = call.args
  const wanted = typeof who === 'string' ? who : ''
  const books = await booksIn(server, home)
  if (!books.ok) return books
  if (books.value.length === 0) return err('remote_not_found', { rule: 'addressbook' })
  const cards: BookCard[] = []
  let more = books.value.length > MAX_BOOKS
  for (const { path } of books.value.slice(0, MAX_BOOKS)) {
    // Each answer of a slow server may be in time, and all of them together not.
    if (performance.now() >= until) {
      more = true
      break
    }
    const read = await readBook(server, path, { wanted, until })
    if (!read.ok) return read
    cards.push(...read.value.cards)
    more ||= read.value.more
  }
  const found = peopleIn(cards, wanted)
  return { ok: true, output: { people: found.people, count: found.people.length, more: more || found.more } }
}

/** The owner's folder of address books, from any address of the server (RFC 5397, RFC 6352 §7.1.1). Refusal besides: remote_not_found. */
export async function discoverBooks(server: Server, path: string): Promise<Result<URL>> {
  const asked = '<D:prop><D:current-user-principal/><C:addressbook-home-set/></D:prop>'
  const body = `${HEAD}<D:propfind ${SPACES}>${asked}</D:propfind>`
  let at = path
  for (let steps = 0; steps < 3; steps += 1) {
    const rows = await multistatus(server, { method: 'PROPFIND', path: at, depth: '0', body })
    if (!rows.ok) return rows
    const [row] = rows.value
    const home = row && nodeAt(row.found, [CARD, 'addressbook-home-set'], [DAV, 'href'])?.text.trim()
    const url = home ? URL.parse(home, server.server) : null
    if (url !== null) return ok(url)
    const next = row && nodeAt(row.found, [DAV, 'current-user-principal'], [DAV, 'href'])?.text
    const principal = next ? pathOf(next, server.server) : null
    if (principal === null || principal === at) break
    at = principal
  }
  return err('remote_not_found', { rule: 'home' })
}

export async function booksIn(server: Server, home: string): Promise<Result<readonly DavBook[]>> {
  const body = `${HEAD}<D:propfind ${SPACES}><D:prop><D:resourcetype/><D:displayname/></D:prop></D:propfind>`
  const rows = await multistatus(server, { method: 'PROPFIND', path: home, depth: '1', body })
  if (!rows.ok) return rows
  const books = rows.value.flatMap(({ path, found }) => {
    const type = nodeAt(found, [DAV, 'resourcetype'])
    const isBook = type !== null && childrenOf(type, CARD, 'addressbook').length > 0
    return isBook ? [{ path, name: nodeAt(found, [DAV, 'displayname'])?.text.trim() ?? '' }] : []
  })
  return ok(books.sort((one, other) => (one.path < other.path ? -1 : 1)))
}

interface Looking {
  readonly wanted: string
  /** When reading ends, by `performance.now()`. */
  readonly until: number
}

interface BookRead {
  readonly cards: readonly BookCard[]
  /** There are cards that were not read. */
  readonly more: boolean
}

/** In one answer where it fits; else card by card, in batches. */
async function readBook(server: Server, path: string, { wanted, until }: Looking): Promise<Result<BookRead>> {
  const whole = await queried(server, path, wanted)
  if (whole.ok) return ok({ cards: whole.value, more: false })
  const { code, facts } = whole.reason
  const isTooMuch =
    code === 'response_too_large' || (code === 'tool_result_invalid' && facts?.['rule'] === 'cut')
  if (!isTooMuch || wanted !== '') return whole
  const paths = await pathsIn(server, path)
  if (!paths.ok) return paths
  const cards: BookCard[] = []
  let done = 0
  while (done < Math.min(paths.value.length, MAX_CARDS) && performance.now() < until) {
    const batch = paths.value.slice(done, done + BATCH)
    const got = await fetched(server, path, batch)
    if (!got.ok) return got
    cards.push(...got.value)
    done += batch.length
  }
  return ok({ cards, more: done < paths.value.length })
}

/** The server looks for the longest word of the name, since it may have it in another order. */
async function queried(server: Server, path: string, wanted: string): Promise<Result<readonly BookCard[]>> {
  const [word = ''] = wanted.split(/\s+/).toSorted((one, other) => other.length - one.length)
  const match = `<C:text-match collation="i;unicode-casemap" match-type="contains">${escaped(word)}</C:text-match>`
  const within = (name: string): string =>
    `<C:prop-filter name="${name}">${word === '' ? '' : match}</C:prop-filter>`
  const names = word === '' ? ['FN'] : ['FN', 'EMAIL']
  const filter = `<C:filter test="anyof">${names.map(within).join('')}</C:filter>`
  const body = `${HEAD}<C:addressbook-query ${SPACES}>${DATA}${filter}</C:addressbook-query>`
  return cardsOf(server, path, { depth: '1', body })
}

async function fetched(
  server: Server,
  path: string,
  paths: readonly string[],
): Promise<Result<readonly BookCard[]>> {
  const hrefs = paths.map((one) => `<D:href>${escaped(one)}</D:href>`).join('')
  const body = `${HEAD}<C:addressbook-multiget ${SPACES}>${DATA}${hrefs}</C:addressbook-multiget>`
  return cardsOf(server, path, { depth: '0', body })
}

async function cardsOf(
  server: Server,
  path: string,
  asked: { readonly depth: '0' | '1'; readonly body: string },
): Promise<Result<readonly BookCard[]>> {
  const rows = await multistatus(server, { method: 'REPORT', path, ...asked })
  if (!rows.ok) return rows
  return ok(rows.value.flatMap(({ found }) => cardsIn(nodeAt(found, [CARD, 'address-data'])?.text ?? '')))
}

async function pathsIn(server: Server, path: string): Promise<Result<readonly string[]>> {
  const body = `${HEAD}<D:propfind ${SPACES}><D:prop><D:getetag/></D:prop></D:propfind>`
  const rows = await multistatus(server, { method: 'PROPFIND', path, depth: '1', body })
  return rows.ok ? ok(rows.value.map((one) => one.path).filter((one) => one !== path)) : rows
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Words of the owner's, or a server's path, inside of XML. */
function escaped(text: string): string {
  return text.replace(/[\p{Cc}]/gu, ' ').replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)
}
