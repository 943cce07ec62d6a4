/**
 * What the owner names for the http tool in the configuration: hosts with the label of what they answer, and saved requests with the fields that
 * their answers have. Pure; must not request anything. Called by the configuration, `pfar http` and manifest.ts.
 */

/** What an answer may be labelled; `regulated` data has tools of its own. */
export const HTTP_LABELS = Object.freeze(['public', 'internal', 'sensitive'] as const)
export type HttpLabel = (typeof HTTP_LABELS)[number]
/** Of a host that the owner gave no label: whoever calls an interface may be shown what others are not. */
export const UNLABELLED: HttpLabel = 'sensitive'

/** Most hosts, saved requests, fields of one, values of an enum, and steps of a path: all stand in one prompt or on one screen. */
export const HTTP_LIMITS = Object.freeze({ hosts: 40, saved: 24, fields: 12, values: 20, path: 8 })

export interface AllowedHost {
  /** Scheme, name or address, and port. */
  readonly origin: string
  readonly label: HttpLabel
  /** How its key is sent: `bearer`, `basic`, or the name of a header; absent where it has none. */
  readonly key?: string
}

export const VALUE_KINDS = Object.freeze(['number', 'date', 'boolean', 'text'] as const)

export interface DeclaredField {
  readonly name: string
  /** Keys from the top of the answer; digits are a place in a list, from 0. */
  readonly path: readonly string[]
  readonly kind: (typeof VALUE_KINDS)[number] | 'enum'
  /** Of an enum. */
  readonly values: readonly string[]
}

export interface SavedRequest {
  /** As it is asked for: lower case, words apart by one space. */
  readonly name: string
  readonly url: string
  readonly label: HttpLabel
  readonly fields: readonly DeclaredField[]
}

export interface HttpSetting {
  readonly hosts: readonly AllowedHost[]
  readonly saved: readonly SavedRequest[]
}

export const NO_HTTP: HttpSetting = Object.freeze({ hosts: [], saved: [] })

const NAME = /^[\p{L}\p{N}]+(?:[ _-][\p{L}\p{N}]+){0,5}$/u
const LONGEST_NAME = 40
const FIELD = /^([A-Za-z][\w-]{0,39})(?:=([\w-]+(?:\.[\w-]+)*))?:(.+)$/
const VALUE = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,39}$/u

/** `office-temp` and `Office temp` are one name; null for what is none. */
export function requestName(typed: string): string | null {
  const name = typed.trim().replace(/\s+/g, ' ')
  if (name.length > LONGEST_NAME || !NAME.test(name)) return null
  return name.toLowerCase().replace(/[_-]/g, ' ')
}

/** `temperature:number`, `outside=sensors.0.temp:number`, `door=state:open|closed`; null for anything else. */
export function fieldIn(typed: string): DeclaredField | null {
  const [, name = '', path = name, kind = ''] = FIELD.exec(typed.trim()) ?? []
  const keys = path.split('.')
  if (name === '' || keys.length > HTTP_LIMITS.path) return null
  const plain = VALUE_KINDS.find((one) => one === kind)
  if (plain !== undefined) return { name, path: keys, kind: plain, values: [] }
  const values = kind.split('|')
  const isEnum = values.length > 1 && values.length <= HTTP_LIMITS.values
  if (!isEnum || new Set(values).size < values.length || !values.every((value) => VALUE.test(value)))
    return null
  return { name, path: keys, kind: 'enum', values }
}

/** A header that says something else to a server, or that the client sets itself. */
const TAKEN_HEADER =
  /^(?:accept.*|content-.*|host|connection|transfer-encoding|te|upgrade|expect|cookie|user-agent|proxy-.*|sec-.*|x-forwarded-.*|forwarded|origin|referer|range|if-.*)$/i
const HEADER = /^[A-Za-z][A-Za-z0-9-]{1,39}$/
const NAMED_HEADER =
  /^(?:(?:an? |the |its |my )?(?:api[ -]?)?(?:key|token)? ?(?:in|as|im|in der|in einem) )?(?:the |a |der |die )?(?:header|kopfzeile) ([A-Za-z0-9-]+)$/i
const BASIC =
  /^(?:basic|(?:an? |the |its |my |einem? )?(?:user(?: ?name)? and (?:a )?password|password|login|(?:http )?basic(?: auth(?:entication)?| login)?|passwort|benutzernamen? und passwort|anmeldung))$/i
const BEARER =
  /^(?:bearer|(?:an? |the |its |my |einem? |dem |ihrem |seinem )?(?:api[ -]?)?(?:key|token|bearer token|access token|schlüssel|api-schlüssel))$/i

/** `a key`, `basic`, `the header X-Api-Key`, `X-Api-Key`: how a key is sent; null for anything else. */
export function keyFormIn(typed: string): string | null {
  const text = typed.trim().replace(/\s+/g, ' ')
  if (BEARER.test(text)) return 'bearer'
  if (BASIC.test(text)) return 'basic'
  const header = NAMED_HEADER.exec(text)?.[1] ?? (text.includes('-') ? text : '')
  if (header.toLowerCase() === 'authorization') return 'bearer'
  return HEADER.test(header) && !TAKEN_HEADER.test(header) ? header : null
}

/** Begins the names of keys of hosts, and of nothing else. */
export const HOST_KEYS = 'http/'
/** As a secret may be called (kernel/vault/secret-offer.ts). */
const SECRET_NAME = /^[a-z0-9][a-z0-9_./-]{0,99}$/

/** Name under which the key of a host is kept: one for each origin. Null for a host whose address cannot be written so. */
export function keyName(origin: string): string | null {
  const url = URL.parse(origin)
  if (url === null) return null
  const name = `${HOST_KEYS}${url.protocol === 'http:' ? 'plain/' : ''}${url.host.replace(':', '/')}`
  return SECRET_NAME.test(name) ? name : null
}

/** The origin whose key is kept under this name; null for any other name. */
export function originOfKey(name: string): string | null {
  const [, plain, host = '', port] = KEY_NAME.exec(name) ?? []
  const origin = `http${plain === undefined ? 's' : ''}://${host}${port === undefined ? '' : `:${port}`}`
  return keyName(origin) === name ? origin : null
}

const KEY_NAME = /^http\/(plain\/)?([^/]+)(?:\/(\d+))?$/

/** The host of this address, if the owner named it with a key. */
export function keyedHost({ hosts }: HttpSetting, url: string): AllowedHost | null {
  const origin = URL.parse(url)?.origin
  return hosts.find((host) => host.origin === origin && host.key !== undefined) ?? null
}

/** What answers of this address are labelled. */
export function labelOf({ hosts }: HttpSetting, url: string): HttpLabel | null {
  const origin = URL.parse(url)?.origin
  return hosts.find((host) => host.origin === origin)?.label ?? null
}
