/**
 * Finds the address books of an account before it is stored. The password goes to the server that the owner named, and to the one that this server
 * names for the books. Must not store anything. Called by `pfar connect contacts`.
 */
import { isOwnAddress } from '../../integrations/models/provider-settings.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { ELSEWHERE, type Login, serverAt } from '../calendar/find-calendars.ts'
import { booksIn, type DavBook, discoverBooks } from './carddav.ts'

/** Where RFC 6764 lets a server say where its address books are. */
const WELL_KNOWN = '/.well-known/carddav'

export interface FoundBooks {
  /** Origin. */
  readonly server: string
  readonly home: string
  readonly books: readonly DavBook[]
}

/** Refusals: those of the server and the client; remote_not_found: there is no CardDAV, or no address book. */
export async function findBooks(url: URL, login: Login): Promise<Result<FoundBooks>> {
  const named = serverAt(url, login)
  let failed: Result<never> = err('remote_not_found')
  for (const path of new Set([url.pathname, WELL_KNOWN, '/'])) {
    const found = await discoverBooks(named, path)
    if (found.ok) return within(found.value, url, login)
    // The first answer is about the address that the owner said.
    if (path === url.pathname || failed.reason.code === 'remote_not_found') failed = found
    if (!ELSEWHERE.has(found.reason.code)) return found
  }
  return failed
}

async function within(home: URL, url: URL, login: Login): Promise<Result<FoundBooks>> {
  // A server on the own network sends nobody elsewhere, and nobody into it.
  if (home.origin !== url.origin && (isOwnAddress(url.href) || isOwnAddress(home.href)))
    return err('redirect_refused', { rule: 'origin' })
  const books = await booksIn(serverAt(home, login), home.pathname)
  if (!books.ok) return books
  if (books.value.length === 0) return err('remote_not_found', { rule: 'addressbook' })
  return ok({ server: home.origin, home: home.pathname, books: books.value })
}
