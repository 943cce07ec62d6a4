/**
 * The table `[tools.http]` of config.toml: its schema, its conversion to settings, and the text of its entries. Must not read
 * files. Called by config-schema.ts, config.ts, home-tools.ts and `pfar http`.
 */
import { stringify } from 'smol-toml'
import * as z from 'zod/mini'
import { checkTarget } from '../../integrations/http/target.ts'
import { isOwnAddress } from '../../integrations/models/provider-settings.ts'
import {
  type DeclaredField,
  fieldIn,
  HTTP_LABELS,
  HTTP_LIMITS,
  type HttpSetting,
  keyFormIn,
  keyName,
  NO_HTTP,
  requestName,
} from '../../integrations/tools/http/setting.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

const MAX_URL = 1_000
const MAX_FIELD = 400

const label = z.enum(HTTP_LABELS)

export const httpSchema = z.strictObject({
  /** Origins, such as `https://api.example.com`, and the label of their answers. */
  hosts: z._default(
    z
      .array(
        z.strictObject({
          origin: z.string().check(
            z.refine((value) => isSame(originIn(value), value), {
              error: 'must be an origin with https, or with an address (not a name) of your own network',
            }),
          ),
          label,
          key: z.exactOptional(
            z.string().check(
              z.refine((value) => keyFormIn(value) === value, {
                error: 'must be bearer, basic, or a header such as X-Api-Key; never the key itself',
              }),
            ),
          ),
        }),
      )
      .check(
        z.maxLength(HTTP_LIMITS.hosts),
        z.refine((all) => all.every(({ origin, key }) => key === undefined || keyName(origin) !== null), {
          error: 'must be a host with a name or an address of four numbers where it has a key',
        }),
        z.refine((all) => isDistinct(all.map(({ origin }) => origin)), { error: 'must name each host once' }),
      ),
    [],
  ),
  saved: z._default(
    z
      .array(
        z.strictObject({
          name: z
            .string()
            .check(
              z.refine((value) => requestName(value) === value, { error: 'must be up to six plain words' }),
            ),
          url: z.string().check(
            z.maxLength(MAX_URL),
            z.refine((value) => originOf(value).ok && !/\s/.test(value), {
              error: 'must be https, or an address (not a name) of your own network',
            }),
          ),
          label,
          fields: z._default(
            z
              .array(
                z.string().check(
                  z.maxLength(MAX_FIELD),
                  z.refine((value) => fieldIn(value) !== null, {
                    error: 'must be such as temperature:number',
                  }),
                ),
              )
              .check(
                z.maxLength(HTTP_LIMITS.fields),
                z.refine((all) => isDistinct(all.map((one) => fieldIn(one)?.name ?? one)), {
                  error: 'must have a name of its own each',
                }),
              ),
            [],
          ),
        }),
      )
      .check(
        z.maxLength(HTTP_LIMITS.saved),
        z.refine((all) => isDistinct(all.map(({ name }) => name)), {
          error: 'must have a name of its own each',
        }),
      ),
    [],
  ),
})

export type HttpTable = z.output<typeof httpSchema>

export function httpSettingOf(table: HttpTable | undefined): HttpSetting {
  if (table === undefined) return NO_HTTP
  const saved = table.saved.map((one) => ({
    ...one,
    fields: one.fields.flatMap((field) => fieldIn(field) ?? []),
  }))
  return { hosts: table.hosts, saved }
}

/** One entry, as `pfar http` writes it. */
export function hostTable(host: HttpTable['hosts'][number]): string {
  return stringify({ tools: { http: { hosts: [host] } } })
}

export function savedTable({ fields, ...request }: HttpTable['saved'][number]): string {
  return stringify({ tools: { http: { saved: [{ ...request, ...(fields.length > 0 && { fields }) }] } } })
}

/**
 * The origin of a host as typed by the owner: `api.example.com`, `https://api.example.com:8443`, `http://192.168.1.20:8123`.
 * Plain http is allowed for an IP address on the owner's own network only, not for a name, which could point elsewhere later.
 * Refusal: url_malformed.
 */
export function originIn(typed: string): Result<string> {
  const text = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`
  const url = URL.parse(text)
  const isBare = url !== null && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === ''
  return isBare ? originOf(text) : err('url_malformed', { rule: 'host' })
}

/** Refusals: url_malformed, scheme_not_allowed. */
export function originOf(text: string): Result<string> {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return err('url_malformed', { rule: 'host' })
  if (url.protocol === 'http:' && !isOwnAddress(url.origin)) return err('scheme_not_allowed')
  return ok(url.origin)
}

/** One field, in the form that the owner types. */
export function fieldText({ name, path, kind, values }: DeclaredField): string {
  const at = path.join('.')
  return `${name}${at === name ? '' : `=${at}`}:${kind === 'enum' ? values.join('|') : kind}`
}

/** The full address of a request; null if no request may go there. */
export function addressIn(typed: string): string | null {
  const text = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`
  const origin = originOf(text)
  if (!origin.ok || isUnreachable(text)) return null
  return URL.parse(text)?.href ?? null
}

/** Whether no request may go there, by the rule that checks each request, so that no unusable address is saved. */
export function isUnreachable(text: string): boolean {
  const url = URL.parse(text)
  if (url === null) return true
  const own = isOwnAddress(url.origin) ? [url.origin] : []
  return !checkTarget(text, { hosts: ['*', url.host], exemptOrigins: own }).ok
}

/** Origins on the owner's own network, each an IP address. */
export function ownHosts({ hosts, saved }: HttpSetting): readonly string[] {
  const named = [
    ...hosts.map(({ origin }) => origin),
    ...saved.flatMap(({ url }) => URL.parse(url)?.origin ?? []),
  ]
  return [...new Set(named)].filter((origin) => isOwnAddress(origin))
}

function isSame(found: ReturnType<typeof originIn>, value: string): boolean {
  return found.ok && found.value === value
}

function isDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}
