/**
 * Cloudflare as its owner has it, at a home without a model: asked for before it is connected, connected with a wrong token and then a right one, read, a record
 * changed by a card that says what it says now, and not changed after a no; one made, removed and made again; a service that is down, and a token that was taken back (I-19, L-12, L-18).
 */
import { expect, test } from 'vitest'
import {
  cloudflareState,
  failing,
  idOf,
  recordRow,
  serveCloudflare,
  TOKEN,
  tunnelRow,
  zoneRow,
} from '../fakes/cloudflare-server.ts'
import { serviceBench } from './service-bench.ts'

const state = cloudflareState()
const record = recordRow(10, 'A', 'www.example.com', '203.0.113.5', { proxied: true })
state.zones.push(zoneRow(1, 'example.com'))
state.records[idOf(1)] = [record]
state.tunnels.push(tunnelRow(1, 'home', 'healthy'))

const { bench, reply, connected } = serviceBench('cloudflare', () => serveCloudflare(state))
const written = (): number => state.asked.filter(({ method }) => method === 'PATCH').length

test('before it is connected, it is said how', async () => {
  expect(await reply('which domains do I have at cloudflare?')).toContain('pfar connect cloudflare')
  expect(state.asked).toEqual([])
})

test('a wrong token changes nothing, and a right one is told the way to', async () => {
  expect(await connected(`cfut_${'x'.repeat(50)}`)).toContain('did not accept that. Nothing was stored.')
  const right = await connected(TOKEN)
  expect(right).toMatch(/profile\/api-tokens[\s\S]*Zone, DNS, Edit[\s\S]*Cloudflare is connected/)
  expect(right).not.toContain(TOKEN)
})

test('it is read', async () => {
  expect(await reply('which domains do I have at cloudflare?')).toMatch(/- example\.com \(active\)/)
  expect(await reply('what are my DNS records of example.com?')).toMatch(
    /www\.example\.com: A 203\.0\.113\.5/,
  )
  expect(await reply('cloudflare tunnels?')).toMatch(/home: up since/)
})

test.each([
  ['deny', 0, '203.0.113.5'],
  ['approve', 1, '203.0.113.9'],
] as const)('a record is changed by a card that says what it says now: %s', async (how, times, says) => {
  const card = await reply('point www.example.com to 203.0.113.9')
  expect(card).toMatch(/would say: 203\.0\.113\.9[\s\S]*says now: 203\.0\.113\.5/)
  expect(written()).toBe(0)
  const [one] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  await bench.pfar(how, String(one.number))
  expect([written(), record['content']]).toEqual([times, says])
})

test('a record is made, removed and made again, each by a card', async () => {
  const say = async (words: string): Promise<string> => {
    const card = await reply(words)
    const [one] = JSON.parse((await bench.pfar('approvals', '--json')).out)
    await bench.pfar('approve', String(one.number))
    return card
  }
  const contents = () => (state.records[idOf(1)] ?? []).map(({ name, content }) => `${name} ${content}`)
  const own = 'new.example.com 203.0.113.7'
  expect(await say('add a DNS record for new.example.com to 203.0.113.7')).toMatch(
    /under this name: nothing yet/,
  )
  expect(contents()).toContain(own)
  expect(await say('delete the DNS record of new.example.com')).toMatch(/says now: 203\.0\.113\.7/)
  expect(contents()).not.toContain(own)
  expect(await say('undo that')).toMatch(/as it was before it was removed/)
  expect(contents()).toContain(own)
})

test('a service that is down and a token that was taken back are told apart, without a word of the service', async () => {
  state.next.push((_, response) => failing(response, 503))
  const down = await reply('which domains do I have at cloudflare?')
  state.next.push((_, response) => failing(response, 401))
  const revoked = await reply('which domains do I have at cloudflare?')
  expect(down).toMatch(/having trouble right now/)
  expect(revoked).toMatch(/no longer accepts my access/)
  expect(down + revoked).not.toContain('text-of-the-service')
})
