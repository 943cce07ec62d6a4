/** Edge and home with different clocks: how long an answer is wanted is a duration, by the edge's clock (T-14). */

import { expect, test } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { serveHomeCall } from '../../kernel/features/models/serve.ts'
import type { HomeAnswer, HomeCall } from '../../kernel/features/places/home-port.ts'
import { offlinePolicyOf } from '../../kernel/powers/effects.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { createTunnelInbox } from '../../sidecar/tunnel/tunnel-inbox.ts'
import { NO_PAUSE } from '../fakes/pause.ts'
import { calendarTools } from '../pipeline/mailbox.ts'
import { createWorld } from '../pipeline/world.ts'
import { homeFacts, MemoryChannelStore, NO_BOTH_LINES, NO_FILES, NO_LENDER } from '../tunnel/fixtures.ts'

const TWO_MINUTES = 120_000

async function asked(): Promise<{ readonly call: HomeCall; readonly edgeNow: number }> {
  const edge = createWorld({ place: 'edge' })
  await edge.say('when am I free on Friday?')
  const [call] = edge.homeCalls
  if (call === undefined) throw new Error('home was not asked')
  return { call, edgeNow: edge.clock.now }
}

/** Milliseconds for which an answer about free times is wanted. */
const POLICY = offlinePolicyOf(createRegistry(TOOL_MANIFESTS), 'calendar.freebusy')
const WANTED = POLICY.do === 'queue' ? POLICY.ttl : Number.NaN

/** Home's answer to a call that left the edge `waited` milliseconds after it was made. */
async function answered({
  skew,
  waited,
}: {
  readonly skew: number
  readonly waited: number
}): Promise<HomeAnswer> {
  const { call, edgeNow } = await asked()
  const home = createWorld({ tools: calendarTools() })
  home.clock.now = edgeNow + waited + skew
  const answers: HomeAnswer[] = []
  const inbox = createTunnelInbox({
    files: NO_FILES,
    lender: NO_LENDER,
    pause: NO_PAUSE,
    unlinked: () => undefined,
    bothLines: NO_BOTH_LINES,
    channel: new MemoryChannelStore(),
    store: home.disk.store,
    serve: async (own) => {
      const answer = await serveHomeCall(home.powers, own)
      answers.push(answer)
      return answer
    },
    remember: async () => undefined,
    takeSecret: async () => undefined,
    takeCode: async () => undefined,
    facts: () => homeFacts('Europe/Madrid'),
    isWrite: () => false,
    now: home.powers.now,
    fault: () => undefined,
    lost: () => undefined,
  })
  inbox.take({ kind: 'data', seq: 1, body: { type: 'home_call', call }, at: edgeNow + waited })
  await inbox.settled()
  const [answer] = answers
  if (answer === undefined) throw new Error('nothing was answered')
  return answer
}

test.each<[string, number, number, object]>([
  ['equal clocks', 0, 1_000, { ok: true }],
  ['home two minutes ahead', TWO_MINUTES, 1_000, { ok: true }],
  ['home two minutes behind', -TWO_MINUTES, 1_000, { ok: true }],
  ['equal clocks, too late', 0, WANTED + 1, { ok: false, reason: 'home_timeout' }],
  ['home two minutes ahead, too late', TWO_MINUTES, WANTED + 1, { ok: false, reason: 'home_timeout' }],
  ['home two minutes behind, too late', -TWO_MINUTES, WANTED + 1, { ok: false, reason: 'home_timeout' }],
])('%s', async (_name, skew, waited, answer) => {
  expect(await answered({ skew, waited })).toMatchObject(answer)
})
