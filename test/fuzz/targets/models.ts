/** What model services answer: streams of three kinds, and the list of a local server. Bytes of others, over no network. */
import type { Transport } from '../../../integrations/http/transport.ts'
import { createAnthropicModel } from '../../../integrations/models/anthropic/model.ts'
import type { ModelConnection } from '../../../integrations/models/connection.ts'
import { listOllama } from '../../../integrations/models/ollama/library.ts'
import { createOllamaModel } from '../../../integrations/models/ollama/model.ts'
import { createOpenAiModel } from '../../../integrations/models/openai/model.ts'
import { ok } from '../../../kernel/flow/verdict.ts'
import type { ModelAnswer } from '../../../kernel/inference/provider.ts'
import { promptFor } from '../../models/prompts.ts'
import { type Service, VOICES } from '../../models/voices.ts'
import { CANARY, type Target } from '../target.ts'

const ORIGIN = 'http://127.0.0.1:4100'
const PROMPT = promptFor('what is up?')
const SETTINGS = {
  reader: { id: 'fuzzed', locality: 'home', level: 'regulated', compartments: 'all' },
  ...{ model: 'any', window: 8_192 },
} as const
const MAKERS = { anthropic: createAnthropicModel, openai: createOpenAiModel, ollama: createOllamaModel }
const encoder = new TextEncoder()

/** Bytes of a piece: no multiple of any frame. */
const PIECE = 37

function answering(bytes: Uint8Array, type: string): ModelConnection {
  const body = (async function* () {
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
  })()
  const send: Transport['send'] = async () => ok({ status: 200, headers: { 'content-type': type }, body })
  return { baseUrl: ORIGIN, exemptOrigins: [ORIGIN], transport: { send }, key: null }
}

function streamTarget(service: Service): Target {
  const { contentType, ...voice } = VOICES[service]
  const said = voice.text(`Hello <think>${CANARY}</think>`) + voice.reasoning('hm') + voice.text(' wörld')
  const whole = voice.opening() + said + voice.life() + voice.closing('whole')
  return {
    name: `answer of ${service}`,
    form: 'bytes',
    samples: [whole, whole.replaceAll('\n', '\r\n')].map((text) => encoder.encode(text)),
    parse: (input) => {
      const connection = answering(input as Uint8Array, contentType)
      return MAKERS[service](SETTINGS, connection).complete(PROMPT, { maxTokens: 100, timeout: 30_000 })
    },
    fault: (value) => faultIn(value as ModelAnswer),
  }
}

function faultIn({ text, cut, tokens }: ModelAnswer): string | null {
  if (typeof text !== 'string' || typeof cut !== 'boolean') return 'no text'
  const { input, output, cached } = tokens
  const counts = [input, output, cached?.read ?? 0, cached?.written ?? 0]
  return counts.every((count) => Number.isSafeInteger(count) && count >= 0) ? null : 'a count that is none'
}

/** Every answer is the same bytes: the description of each model too. */
const list: Target = {
  name: 'models of ollama',
  form: 'bytes',
  samples: [encoder.encode('{"models":[{"name":"a:1b","size":7}],"model_info":{"z.context_length":4096}}')],
  parse: (input) => {
    const send: Transport['send'] = async () => {
      const { transport } = answering(input as Uint8Array, 'application/json')
      return transport.send({} as Parameters<typeof transport.send>[0])
    }
    return listOllama({ ...answering(new Uint8Array(), ''), transport: { send } })
  },
}

export const MODEL_TARGETS: readonly Target[] = [
  streamTarget('anthropic'),
  streamTarget('openai'),
  streamTarget('ollama'),
  list,
]
