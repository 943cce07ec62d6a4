/** Parses an edge's address as an owner types it. Makes no request. Called by `pfar pair`, `pfar devices` and `pfar recover`. */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isLoopback } from '../config/config.ts'

/** Refusal: url_malformed. Plain http is allowed on this machine only: signed requests are not encrypted. */
export function edgeOrigin(text: string): Result<string> {
  const url = URL.parse(text)
  const fits =
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.origin)))
  return fits && url.pathname === '/' && url.search === '' ? ok(url.origin) : err('url_malformed')
}
