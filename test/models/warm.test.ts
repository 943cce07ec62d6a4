/** Models that their owner wants preloaded: which, how often, and that a failure does not stop home. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { createHomeModels } from '../../sidecar/models/home-models.ts'
import { everyOf, startWarming } from '../../sidecar/models/keep-warm.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { startOllama } from '../fakes/ollama.ts'

const MINUTE = 60_000
const NO_KEYS = { issue: async () => err('credential_missing'), settle: () => undefined }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

it.each([
  ['as usual', 30, 29],
  ['for ever: its server may restart', -1, 30],
  ['for days', 10_080, 30],
  ['for a minute', 1, 1],
  ['not at all', 0, 1],
])('a model that stays loaded %s is loaded again in time', (_, keepAlive, minutes) => {
  expect(everyOf({ keepAlive })).toBe(minutes * MINUTE)
})

it('a model is loaded at the start and again in time, never twice at once, and no more after the stop', async () => {
  const ends: (() => void)[] = []
  const load = vi.fn(() => new Promise<never>((_, reject) => void ends.push(() => reject(new Error('gone')))))
  const job = startWarming([{ keepAlive: 3, load }])
  expect(load).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(2 * MINUTE)
  expect(load).toHaveBeenCalledTimes(1)
  ends[0]?.()
  await vi.waitFor(() => {
    vi.advanceTimersByTime(2 * MINUTE)
    expect(load).toHaveBeenCalledTimes(2)
  })
  await job.stop()
  vi.advanceTimersByTime(20 * MINUTE)
  expect(load).toHaveBeenCalledTimes(2)
})

it('preloading asks the configured Ollama with the window and minutes of its calls, and no other model', async () => {
  const ollama = await startOllama([], () => null)
  const entry = (name: string, more: string) =>
    `[[models.providers]]\nname = "${name}"\nkind = "ollama"\nmodel = "${name}:1b"\nbase_url = "${ollama.url}"\n${more}\n`
  const parsed = parseConfig(`${entry('ready', 'warm = true\nkeep_alive = -1')}${entry('cold', '')}`)
  if (!parsed.ok) throw new Error(parsed.reason.code)
  const transport = createPinnedTransport()
  const { warm } = createHomeModels({ config: parsed.value.models, transport, keys: NO_KEYS })
  expect(warm.map(({ keepAlive }) => keepAlive)).toEqual([-1])
  // This server does not know the request: the refusal is ignored.
  expect((await warm[0]?.load())?.ok).toBe(false)
  expect(ollama.asked).toEqual(['POST /api/generate'])
  await transport.close()
  await ollama.close()
})

it.each([
  ['a company’s', 'kind = "anthropic"'],
  ['an Ollama elsewhere', 'kind = "ollama"\nbase_url = "https://ollama.example.com"'],
])('%s is not preloaded', (_, kind) => {
  const text = `[[models.providers]]\nname = "a"\nmodel = "m"\nwarm = true\n${kind}\n`
  const parsed = parseConfig(text)
  expect(parsed.ok && parsed.value.models.trouble?.key).toBe('models.providers.a.warm')
})
