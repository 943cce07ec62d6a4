/**
 * Jobs over what the owner named: a request saved under a name, whose answer a scripted server gives and whose text is compared whole, and a feed of which
 * only new items are told (G-14, G-16, G-19).
 */
import { afterAll, describe, expect, it } from 'vitest'
import { createFeedTool } from '../../integrations/tools/feed/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { createPageReader } from '../../sidecar/pages/page-reader.ts'
import { sendJson, serve } from '../kit/server.ts'
import { callTool } from '../tools/calls.ts'
import { sendText } from '../tools/servers.ts'
import { first, next, outcomes, set, told, world } from './job-world.ts'
import { exampleOf, httpTool, settingOf } from './saved-requests.ts'
import type { ScriptedTool } from './world.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/v1/marine': {
    ...{ latitude: 43.416, longitude: -2.708, hourly_units: { time: 'iso8601', wave_height: 'm' } },
    hourly: {
      time: HOURS.map((hour) => `2026-11-21T${String(hour).padStart(2, '0')}:00`),
      wave_height: HOURS.map((hour) => 1 + hour / 10),
      wave_period: HOURS.map(() => 11.35),
      wave_direction: HOURS.map(() => 312),
    },
  },
  '/api/v3/simple/price': {
    bitcoin: { eur: 78_123.45, eur_24h_change: -1.27, last_updated_at: 1_795_255_200 },
    ethereum: { eur: 2_601.1, eur_24h_change: 0.4 },
  },
}
const state = { down: false, items: ['1'] as string[] }
const asked: string[] = []
const service = await serve(({ url = '' }, response) => {
  const { pathname, search } = new URL(url, 'http://x')
  asked.push(`${pathname}${search}`)
  if (state.down) return response.writeHead(503).end()
  if (pathname !== '/jobs.xml') return sendJson(response, ANSWERS[pathname] ?? {})
  const rows = state.items.map(
    (one) => `<item><title>Engineer ${one}</title><link>https://board.example/${one}</link></item>`,
  )
  const channel = `<channel><title>Board</title>${rows.join('')}</channel>`
  return sendText(response, `<rss version="2.0">${channel}</rss>`, 'application/xml')
})
const { feed, close } = createPageReader()
afterAll(async () => {
  await close()
  await service.close()
})

/** A tool's action over real sockets to the scripted server. */
const scripted =
  (tool: Tool, action: string, own: (args: Record<string, Json>) => Record<string, Json>): ScriptedTool =>
  (args) => {
    const options = { exemptOrigins: [service.origin], credential: null }
    const done: Promise<Result<Json>> = callTool(tool, action, own(args as Record<string, Json>), options)
    return done.then((one) => (one.ok ? { ok: true, output: one.value } : one)) as never
  }

function savedWorld(template: string) {
  const tool = httpTool(settingOf(template, service.origin))
  return world({
    manifests: [tool.manifest],
    tools: { 'http.saved': scripted(tool, 'http.saved', (args) => args) },
  })
}

describe.each([
  {
    template: 'owner_surf_forecast',
    said: ['start the surf forecast', 'start the surf check', 'starte die Surf-Vorhersage'],
    when: /Surf forecast: every day at 04:00/,
    due: ['UTC', '04:00'],
    card: /It reads, and changes nothing:\n- asking that service: surf\n/,
    path: '/v1/marine?latitude=43.41&longitude=-2.70&hourly=wave_height,wave_period,wave_direction&forecast_days=1&timezone=UTC',
    text: `Surf forecast

surf:
- metres_6h: 1.6
- seconds_6h: 11.35
- from_degrees_6h: 312
- metres_12h: 2.2
- metres_18h: 2.8`,
  },
  {
    template: 'owner_crypto_digest',
    said: ['start the crypto digest', 'start the crypto check', 'starte den Krypto-Digest'],
    when: /Crypto digest: every day at 11:00/,
    due: ['Europe/Madrid', '10:00'],
    card: /- asking that service: crypto\n/,
    path: '/api/v3/simple/price?ids=bitcoin,ethereum&vs_currencies=eur&include_24hr_change=true&include_last_updated_at=true&precision=2',
    text: `Crypto digest

crypto:
- bitcoin_eur: 78123.45
- bitcoin_percent_24h: -1.27
- ethereum_eur: 2601.1
- ethereum_percent_24h: 0.4
- at: today 11:00`,
  },
])('$template', ({ template, said, when, due, card, path, text }) => {
  it.each(said)('is set by: %s', async (words) => {
    const of = savedWorld(template)
    await of.say(words)
    await of.shell.tick()
    expect(of.sent.map((one) => one.text).join('\n')).toMatch(card)
    of.clock.now += 1_000
    await of.say('yes')
    expect(first(of)).toMatchObject({ template, state: 'on', zone: due[0] })
    expect(new Date(Number(first(of).due)).toISOString().slice(11, 16)).toBe(due[1])
    await of.say('what runs when?')
    expect(of.heard()).toMatch(when)
  })

  it('tells what the service answers, in these words, and asks it for nothing else', async () => {
    const of = savedWorld(template)
    await set(of, said[0] ?? '')
    asked.length = 0
    await next(of)
    expect(told(of)).toEqual([text])
    expect(asked).toEqual([path])
  })

  it('says why nothing came where the service does not answer', async () => {
    const of = savedWorld(template)
    await set(of, said[0] ?? '')
    state.down = true
    await next(of)
    for (const minutes of [1, 5, 15]) {
      of.clock.now += minutes * 60_000
      await of.shell.tick()
    }
    state.down = false
    expect(outcomes(of)).toEqual(['failed'])
    expect(told(of)).toEqual([expect.stringMatching(/I could not get that/)])
  })

  it('without that request it says what to type, and sets nothing', async () => {
    const of = world({ tools: { 'http.saved': () => ({ ok: true, output: { name: '', values: [] } }) } })
    await of.say(said[0] ?? '')
    expect(of.heard()).toContain(exampleOf(template).trim())
    expect(of.heard()).toMatch(/^It needs a request to a web service that you saved as "(?:surf|crypto)"/)
    expect([of.disk.store.jobs(), of.calls]).toEqual([[], []])
  })

  it('a request of another name does not stand in for it', async () => {
    const setting = settingOf(template, service.origin)
    const other = { ...setting, saved: setting.saved.map((one) => ({ ...one, name: 'office temp' })) }
    const of = world({
      manifests: [httpTool(other).manifest],
      tools: { 'http.saved': () => ({ ok: true, output: { name: '', values: [] } }) },
    })
    await of.say(said[0] ?? '')
    expect(of.disk.store.jobs()).toEqual([])
  })
})

describe('owner_jobs_digest', () => {
  const ADDRESS = 'https://board.example/jobs.xml'
  const read = scripted(createFeedTool({ feed }), 'web.feed', (args) => ({
    ...args,
    address: `${service.origin}/jobs.xml`,
  }))
  const feedWorld = () => world({ tools: { 'web.feed': read } })

  it.each([
    `start the jobs digest of ${ADDRESS}`,
    `start the web3 jobs digest of ${ADDRESS}`,
    `starte den Web3-Jobs-Digest von ${ADDRESS}`,
  ])('comes on Fridays at ten, set by: %s', async (words) => {
    const of = feedWorld()
    await of.say(words)
    await of.shell.tick()
    expect(of.sent.map(({ text }) => text).join('\n')).toContain(`Web3 jobs digest: the feed ${ADDRESS}`)
    of.clock.now += 1_000
    await of.say('yes')
    expect(first(of)).toMatchObject({ template: 'owner_jobs_digest', state: 'on' })
    await of.say('what runs when?')
    expect(of.heard()).toMatch(/Web3 jobs digest: every Friday at 10:00/)
  })

  it('tells an opening once, and nothing when there is none that is new', async () => {
    state.items = Array.from({ length: 12 }, (_, nth) => String(nth + 1))
    const of = feedWorld()
    await set(of, `start the jobs digest of ${ADDRESS}`)
    await next(of)
    state.items = ['13', ...state.items]
    await next(of)
    await next(of)
    expect(of.calls.map(({ args }) => args)).toEqual(Array.from({ length: 3 }, () => ({ address: ADDRESS })))
    expect(outcomes(of)).toEqual(['told', 'told', 'quiet'])
    expect(told(of)[0]?.match(/Engineer/g)).toHaveLength(12)
    expect(told(of)[1]).toBe(
      'Web3 jobs digest\n\nThe newest of Board:\n- Engineer 13\n  https://board.example/13',
    )
  })

  it('an item that gives itself the title of another hides none', async () => {
    state.items = ['1']
    const of = feedWorld()
    await set(of, `start the jobs digest of ${ADDRESS}`)
    await next(of)
    state.items = ['1?a', '1']
    await next(of)
    expect(told(of)[1]).toMatch(/Engineer 1\?a\n {2}https:\/\/board\.example\/1\?a$/)
    await next(of)
    expect(outcomes(of)).toEqual(['told', 'told', 'quiet'])
  })

  it.each([
    ['start the jobs digest', /need a name from you/],
    ['start the web3 jobs', /need a name from you/],
    ['start the jobs digest of my inbox', /set nothing/],
  ])('sets nothing: %s', async (words, says) => {
    const of = feedWorld()
    await of.say(words)
    await of.shell.tick()
    expect(of.heard()).toMatch(says)
    expect(of.disk.store.jobs()).toEqual([])
  })

  it('is none of the other digests, by its name', async () => {
    const of = world({
      tools: { 'web.feed': read, 'bluesky.timeline': read, 'bluesky.notifications': read },
    })
    await set(of, 'start the bluesky digest')
    await of.say('stop the jobs digest')
    expect(of.heard()).toMatch(/no such job|no job/i)
    expect(first(of).state).toBe('on')
    await set(of, `start the jobs digest of ${ADDRESS}`)
    await of.say('stop the jobs digest')
    expect(of.heard()).toMatch(/^Stopped: 2\. Web3 jobs digest/)
  })
})
