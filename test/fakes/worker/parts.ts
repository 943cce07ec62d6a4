/** What the scripted edge adds to the product's parts: a chat of strangers, a template for them, and a model. */
import type { EdgeParts } from '../../../durable-objects/principal/powers.ts'
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok } from '../../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../../kernel/inference/provider.ts'
import type { SenderPort } from '../../../kernel/powers/ports.ts'
import type { EventSource } from '../../../kernel/task/event.ts'

export interface FakeUrls {
  readonly FAKE_DELIVER_URL: string
  readonly FAKE_MODEL_URL: string
}

/** Strangers may talk, and nothing else. */
const PEERS = {
  template_id: 'fake_peers',
  triggers: ['adapter:whatsapp:message:third_party'],
  principal_class: 'third_party',
  description: 'A stranger in the scripted chat.',
  planner_task_description: 'Answer a stranger who talks to the owner.',
  allowed_tools: [],
  max_tool_calls: 0,
  max_tokens_plan: 500,
  max_tokens_synthesize: 500,
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'internal',
  inference: { provider: 'chain' },
}

/** `telegram` has the shipped templates for strangers; `whatsapp` has the one above in place of it. Telegram itself knows people by number. */
export function fakeSource(user: string, adapter: 'whatsapp' | 'telegram' = 'whatsapp'): EventSource {
  return { adapter, user, chat: user, group: false }
}

const isNotTheirs = (template: unknown): boolean =>
  !(isPlainRecord(template) && template['template_id'] === 'whatsapp_scheduling')

let extended: { readonly from: EdgeParts['templates']; readonly to: EdgeParts['templates'] } | undefined

export function fakeParts(product: EdgeParts, urls: FakeUrls): EdgeParts {
  if (extended?.from !== product.templates)
    extended = { from: product.templates, to: [...product.templates.filter(isNotTheirs), PEERS] }
  return {
    ...product,
    templates: extended.to,
    models: [fakeModel(urls.FAKE_MODEL_URL), ...product.models],
    senderOf: (sink) =>
      /^sink:(?:whatsapp|telegram):(?!open$|-?\d+$)/.test(sink)
        ? fakeSender(urls.FAKE_DELIVER_URL)
        : product.senderOf(sink),
  }
}

function fakeSender(url: string): SenderPort {
  return {
    async send({ id, sink, text, kind, turn }) {
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ id, sink, text, kind, turn }),
      })
      return response.ok ? ok(true) : err('network_failed')
    },
  }
}

/** The one request that the scripted model plans: to remember what a page says, which only the owner may decide. */
export const KEEP_PAGE = 'keep the words of the almanac'

function keepPage(url: string): string {
  const steps = [
    { id: 's1', do: 'tool', tool: 'web.read', args: { url: new URL('/page', url).href } },
    { id: 's2', do: 'tool', tool: 'memory.save', args: { text: { $ref: 's1.text' } } },
  ]
  return JSON.stringify({ steps, explanation: '' })
}

/** Answers strangers, whose words no real cloud model of this test may see; it plans one request and no other. */
function fakeModel(url: string): ModelProvider {
  return {
    reader: { id: 'fake', level: 'internal', compartments: [], locality: 'cloud' },
    async complete(prompt, _limits, live) {
      const { purpose, request } = prompt.parts
      if (purpose === 'plan')
        return request === KEEP_PAGE
          ? ok({ text: keepPage(url), cut: false, tokens: { input: 1, output: 1 } })
          : // As one that is left alone: asked by nobody, so that it neither fails nor is tried again.
            err('model_resting')
      try {
        const { system, user, parts } = prompt
        const abort = new AbortController()
        live?.signal?.addEventListener('abort', () => abort.abort())
        const body = JSON.stringify({ system, user, parts })
        const response = await fetch(url, { method: 'POST', body, signal: abort.signal })
        const { text } = (await response.json()) as { text: string }
        return ok({ text, cut: false, tokens: { input: 1, output: 1 } })
      } catch {
        return err('model_failed')
      }
    },
  }
}
