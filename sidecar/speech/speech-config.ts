/**
 * `[speech]` of home's configuration: the server that transcribes recordings. Its address determines its locality, as
 * for a model (`localityOf`). Must not hold a key: only its name. Called by config.ts.
 */
import * as z from 'zod/mini'
import { isOwnAddress, localityOf } from '../../integrations/models/locality.ts'
import { unreachable } from '../../integrations/models/provider-settings.ts'
import { VAULT_SCHEME } from '../secrets/secret.ts'

export interface SpeechConfig {
  /** Base URL with its path, such as `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly locality: 'home' | 'cloud'
  /** Name of a secret; null if the server needs none. */
  readonly key: string | null
  /** Spoken language (ISO 639-1); null: the server detects it. */
  readonly language: string | null
}

/** Reader id, and the owner of its key in the vault. */
export const SPEECH = 'speech'

/** UTF-16 units. */
const MAX_TEXT = 200
const text = z.string().check(z.minLength(1), z.maxLength(MAX_TEXT))

export const speechSchema = z.strictObject({
  base_url: text.check(
    z.refine(isBaseUrl, { error: 'must be an address such as http://127.0.0.1:8000/v1' }),
    z.refine((url) => !isBaseUrl(url) || unreachable(url, ownOrigin(url)) === null, {
      error: 'must be https at its usual port, unless it is an address of your own network',
    }),
  ),
  model: text,
  key: z.optional(
    z.string().check(
      z.regex(/^vault:[a-z0-9][a-z0-9_./-]{0,99}$/, {
        error: 'must be a reference such as "vault:name"; the key itself goes into the vault',
      }),
    ),
  ),
  language: z.optional(z.string().check(z.regex(/^[a-z]{2}$/, { error: 'must be two letters, such as en' }))),
  /** True if the server passes recordings on to another company, wherever it runs. */
  cloud: z._default(z.boolean(), false),
})

export function speechConfig(entry: z.output<typeof speechSchema> | undefined): SpeechConfig | null {
  if (entry === undefined) return null
  const { base_url, model, key, cloud, language } = entry
  return {
    ...{ baseUrl: base_url.replace(/\/+$/, ''), model },
    locality: localityOf({ kind: 'openai', base_url, model, cloud }),
    key: key?.slice(VAULT_SCHEME.length) ?? null,
    language: language ?? null,
  }
}

/** The owner's own address may be private and use plain http; that of a company may not. */
export function ownOrigin(url: string): readonly string[] {
  return isOwnAddress(url) ? [new URL(url).origin] : []
}

function isBaseUrl(value: string): boolean {
  const url = URL.parse(value)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  )
}
