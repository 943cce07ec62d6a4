/**
 * Transcribes recordings with a server that has OpenAI's interface (`POST /audio/transcriptions`); the
 * request contains the recording only. It has no tools, and the caller labels the text. Must not decide what
 * may be transcribed (features/files/attachments.ts does), nor keep anything. Called through `FilePort`.
 */
import * as z from 'zod/mini'
import type { SoundReader } from '../../integrations/channels/runtime/files.ts'
import {
  type HttpBytes,
  requestBytes,
  type ScopedHttpOptions,
} from '../../integrations/http/scoped-client.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import { readerOf } from '../../integrations/models/provider-settings.ts'
import type { FileText } from '../../kernel/features/files/file-port.ts'
import type { ModelReader } from '../../kernel/flow/policy.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { ownOrigin, SPEECH, type SpeechConfig } from '../models/models-config.ts'
import type { ModelKeys } from '../secrets/service-tokens.ts'

export interface Speech {
  readonly reader: ModelReader
  readonly read: SoundReader
}

export interface SpeechInput {
  readonly config: SpeechConfig
  readonly transport: Transport
  readonly keys: ModelKeys
}

const LIMITS = Object.freeze({
  /** Milliseconds: on a small machine transcription takes as long as the recording. */
  timeoutMs: 180_000,
  /** Most bytes of the response. */
  maxBytes: 262_144,
  maxRedirects: 0,
})
/** Timeout of a probe, milliseconds. */
const LOOK = 5_000
/** UTF-16 units kept of the text: a writer is shown no more of all files together. */
const MOST_TEXT = 20_000

const ANSWER = z.object({ text: z.string() })

export function createSpeech({ config, transport, keys }: SpeechInput): Speech {
  const { baseUrl, key } = config
  const { host } = new URL(baseUrl)
  return {
    reader: readerOf(SPEECH, config.locality),
    async read(bytes, ending) {
      const call = {}
      const issued = key === null ? ok(null) : await keys.issue({ provider: SPEECH, name: key, host }, call)
      if (!issued.ok) return err('model_misconfigured')
      const { type, body } = await formOf(config, bytes, ending)
      const headers = {
        'content-type': type,
        ...(issued.value !== null && { authorization: `Bearer ${issued.value}` }),
      }
      const url = `${baseUrl}/audio/transcriptions`
      const asked = await requestBytes(
        { ...scopeOf(config, transport), limits: LIMITS },
        { method: 'POST', url, headers, body },
      )
      const read = asked.ok ? textIn(asked.value) : err(unreached(asked.reason.code))
      if (read.ok) keys.settle(call, 'accepted')
      else if (asked.ok && asked.value.status === 401) keys.settle(call, 'rejected')
      return read
    },
  }
}

/** Whether the server answers at all, with any status: not all such servers can list their models. */
export async function speechAnswers(config: SpeechConfig, transport: Transport): Promise<boolean> {
  const limits = { ...LIMITS, timeoutMs: LOOK }
  const url = `${config.baseUrl}/models`
  return (await requestBytes({ ...scopeOf(config, transport), limits }, { method: 'GET', url })).ok
}

function scopeOf({ baseUrl }: SpeechConfig, transport: Transport): ScopedHttpOptions {
  const { host, hostname } = new URL(baseUrl)
  return { transport, hosts: [hostname, host], exemptOrigins: ownOrigin(baseUrl) }
}

/** Multipart form with plain fields and one file. */
async function formOf(
  { model, language }: SpeechConfig,
  bytes: Uint8Array,
  ending: string,
): Promise<{ readonly type: string; readonly body: Uint8Array }> {
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', 'json')
  if (language !== null) form.set('language', language)
  form.set('file', new Blob([Uint8Array.from(bytes)]), `recording.${ending}`)
  const encoded = new Response(form)
  return {
    type: encoded.headers.get('content-type') ?? '',
    body: new Uint8Array(await encoded.arrayBuffer()),
  }
}

function textIn({ status, bytes }: HttpBytes): Result<FileText> {
  if (status !== 200) return err(meaningOf(status))
  try {
    const { success, data } = z.safeParse(ANSWER, JSON.parse(new TextDecoder().decode(bytes)))
    if (!success) return err('model_garbled')
    const text = data.text.trim().slice(0, MOST_TEXT).toWellFormed()
    return text === '' ? err('nothing_found') : ok({ text })
  } catch {
    return err('model_garbled')
  }
}

function meaningOf(status: number): ReasonCode {
  if (status === 429 || status === 503) return 'model_overloaded'
  if (status >= 500) return 'model_unavailable'
  // The server cannot process these bytes.
  if (status === 413 || status === 415 || status === 422) return 'field_malformed'
  return 'model_misconfigured'
}

function unreached(code: ReasonCode): ReasonCode {
  if (code === 'response_timeout') return 'model_timeout'
  if (code === 'response_too_large') return 'model_garbled'
  return code === 'network_failed' ? 'model_unavailable' : 'model_misconfigured'
}
