/**
 * Providers that `pfar model add` and `pfar init` offer: kind of API, address, and the page that issues keys (checked 2026-11).
 * Names no model. Called by sidecar/cli/commands/model-command.ts.
 */
import { DEFAULT_URL, isOwnAddress, type ProviderKind, unreachable } from './provider-settings.ts'

export interface ModelService {
  /** Name that the owner types. */
  readonly name: string
  readonly title: string
  readonly kind: ProviderKind
  readonly url: string
  /** Page that issues keys; null for a server that may need none. */
  readonly keys: string | null
}

export const MODEL_SERVICES: readonly ModelService[] = Object.freeze([
  {
    ...{ name: 'anthropic', title: 'Anthropic', kind: 'anthropic', url: DEFAULT_URL.anthropic },
    keys: 'https://console.anthropic.com/settings/keys',
  },
  {
    ...{ name: 'openai', title: 'OpenAI', kind: 'openai', url: DEFAULT_URL.openai },
    keys: 'https://platform.openai.com/api-keys',
  },
  {
    ...{ name: 'openrouter', title: 'OpenRouter, which passes prompts on to others' },
    ...{ kind: 'openai', url: 'https://openrouter.ai/api/v1', keys: 'https://openrouter.ai/settings/keys' },
  },
  { name: 'ollama', title: 'Ollama on this machine', kind: 'ollama', url: DEFAULT_URL.ollama, keys: null },
  {
    ...{ name: 'llama.cpp', title: 'llama.cpp on this machine', kind: 'openai' },
    ...{ url: 'http://127.0.0.1:8080/v1', keys: null },
  },
])

/** A listed service by its name, or any server with OpenAI's API by its URL. Null for anything else or an unreachable URL. */
export function serviceIn(said: string): ModelService | null {
  const known = MODEL_SERVICES.find(({ name }) => name === said.trim().toLowerCase())
  if (known !== undefined) return known
  const url = URL.parse(said.trim())
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  if (url.username + url.password + url.search + url.hash !== '') return null
  const address = url.href.replace(/\/+$/, '')
  if (unreachable(address, isOwnAddress(address) ? [url.origin] : []) !== null) return null
  return { name: nameFor(url.hostname), title: url.host, kind: 'openai', url: address, keys: null }
}

/** A valid provider name: `example` for `api.example.com`, `own` for an IP address. */
function nameFor(host: string): string {
  const parts = host.split('.').filter((part) => /^[a-z]/.test(part))
  const part = parts.length > 1 ? parts.at(-2) : parts[0]
  return (part ?? 'own').replace(/[^a-z0-9_]/g, '_').slice(0, 24)
}
