/**
 * How the operations on web services show an entry, and the forms in which people type it. Called by the operations of this
 * folder.
 */
import { oneLine } from '../../../operations/lines.ts'
import type { Telling } from '../../../operations/operation.ts'
import { id, list, maybe, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'
import type { Webservice } from '../port.ts'
import { keyWords } from '../webservices.ts'

export const WEBSERVICE = record({
  id: id('internal'),
  kind: oneOf(['host', 'request'], 'internal'),
  name: text('sensitive'),
  address: text('sensitive'),
  label: id('internal'),
  key: maybe(text('sensitive')),
  secret: maybe(id('sensitive')),
  fields: list(text('sensitive')),
})

export function shown(one: Webservice): ValueOf<typeof WEBSERVICE> {
  return { ...one }
}

export function lineOf(
  { kind, name, address, label, key, fields }: ValueOf<typeof WEBSERVICE>,
  { tell }: Telling,
) {
  const reads = { address: oneLine(address), label }
  if (kind === 'host')
    return key === null
      ? tell('webservices.host', reads)
      : tell('webservices.host_key', { ...reads, form: keyWords(key) })
  const what = fields.length === 0 ? '' : `\n   ${fields.map(oneLine).join(', ')}`
  return tell('webservices.request', { ...reads, name: oneLine(name), fields: what })
}

/** Pattern source of a host: a name with a dot, or an address of the owner's network, with or without scheme and port. */
export const HOST = String.raw`(?:https?:\/\/)?(?:[\p{L}\d-]{1,63}\.){1,8}[\p{L}\d-]{1,63}(?::\d{1,5})?\/?`
export const ADDRESS = String.raw`https?:\/\/[^\s<>"]{1,900}`
export const NAME = String.raw`["“']?[\p{L}\d]{1,40}(?:[ _-][\p{L}\d]{1,40}){0,5}["”']?`
export const LABEL = String.raw`public|internal|sensitive|private|öffentlich|intern|privat`
const HEADER = String.raw`(?:the |a |der |die )?(?:header|kopfzeile) [A-Za-z][A-Za-z\d-]{1,39}`
export const KEY = `(?:an? |the |its |my |einem? |dem |ihrem )?(?:api[ -])?(?:key|token|bearer token|access token|schlüssel|api-schlüssel)(?: (?:in|in der) ${HEADER})?|${HEADER}|(?:a )?(?:password|user(?: ?name)? and password|basic auth(?:entication)?)|(?:einem )?(?:passwort|benutzername und passwort)`
const FIELD = String.raw`[A-Za-z][\w-]{0,39}(?:=[\w.-]{1,200})?:[^\s,]{1,200}`
export const FIELDS = `${FIELD}(?:(?:,| and| und)? ${FIELD}){0,11}`
