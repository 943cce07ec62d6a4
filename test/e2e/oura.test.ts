/**
 * Oura as its owner has it, at a home without a model: asked for before it is connected, connected with a wrong token and a right one, its days read in and
 * answered with whose they are, also while the service is down and after the token was revoked (L-12, L-18, R-18).
 */
import { expect, test } from 'vitest'
import { activityOf, nightOf, ouraState, scoreOf, serveOura, TOKEN } from '../fakes/oura-server.ts'
import { sendJson } from '../kit/server.ts'
import { serviceBench } from './service-bench.ts'

const state = ouraState()
state.pageSize = 3
const DAY = 86_400_000
/** Of the last calendar week and of this one, whatever day it is. */
const days = Array.from({ length: 15 }, (_, back) =>
  new Date(Date.now() - back * DAY).toISOString().slice(0, 10),
)
for (const day of days) {
  state.sleep.push(nightOf(day, 433))
  state.daily_activity.push(activityOf(day, 8_431))
  state.daily_readiness.push(scoreOf(day, 77))
}

const { bench, reply, connected } = serviceBench('oura', () => serveOura(state))
const SLEPT = '7 h 13 min'

test('before it is connected, it is said how', async () => {
  expect(await reply('get my oura data')).toContain('pfar connect oura')
  expect(state.asked).toEqual([])
})

test('a wrong token changes nothing, and a right one is told the way to', async () => {
  const wrong = await connected('X'.repeat(32))
  expect(wrong).toContain('did not accept that. Nothing was stored.')
  const right = await connected(TOKEN)
  expect(right).toMatch(/personal access token[\s\S]*Oura is connected/)
  expect(right).not.toContain(TOKEN)
})

test('nothing of it is shown before the owner has said so, not even that there is some', async () => {
  expect(await reply('get my oura data')).toMatch(/^I left health data out of this/)
  await bench.pfar('health', 'allow', '--chat', 'terminal')
  await bench.pfar('approve', '1')
})

test('its days are read in, and answered with whose they are', async () => {
  expect(await reply('get my oura data')).toMatch(/\d+ days of your Oura ring are in/)
  expect(await reply('how did I sleep last week?')).toMatch(
    new RegExp(`Sleep, .*: ${SLEPT} on average\\..* From Oura\\.`),
  )
  expect(await reply("what's my readiness score?")).toMatch(/Readiness.*77.*From Oura/)
  expect(await reply('wie viele Schritte habe ich letzte Woche gemacht?')).toMatch(/59,017/)
  // After health data was said in this conversation, too.
  expect(await reply('hol meine älteren Oura-Daten')).toMatch(/^Oura has nothing from/)
})

test('while the service is down, what was read in answers', async () => {
  state.instead = (response) => sendJson(response, { title: 'text-of-the-service' }, 503)
  const said = await reply('get my oura data')
  expect(said).toContain('I could not read your Oura data in')
  expect(said).not.toContain('text-of-the-service')
  expect(await reply('how did I sleep last week?')).toContain(SLEPT)
})

test('after the token was revoked, it is said, and what was read in answers', async () => {
  state.instead = null
  state.tokens.clear()
  expect(await reply('get my oura data')).toMatch(/does not take the token any more[\s\S]*pfar connect oura/)
  expect(await reply('how did I sleep last week?')).toContain(SLEPT)
  expect((await bench.pfar('status')).out).not.toContain(TOKEN)
})
