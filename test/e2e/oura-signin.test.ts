/**
 * `pfar connect oura` as a person meets it: an application of one's own, a browser that comes back to the one address that Oura takes, days read in by tokens that are
 * used once, and the permission ended with its secret (L-07, I-11, R-18). Against a real OAuth server and a scripted Oura.
 */

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Events } from 'oauth2-mock-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activityOf, answerOura, ouraState } from '../fakes/oura-server.ts'
import { until } from '../home/fixtures/wait.ts'
import { type SigningIn, serveSigningIn } from '../kit/oauth-server.ts'
import { type OnTerminal, onTerminal } from './keys-bench.ts'
import { createBench } from './terminal-bench.ts'

const SECRET = 'secret-of-the-owners-application'
const REDIRECT = 'http://localhost:48213/'
const SCOPES = 'extapi:personal extapi:daily extapi:heartrate'
const SOON = 60_000
const MONTH = 2_591_999

const bench = createBench()
const state = ouraState()
state.tokens.clear()
state.daily_activity.push(activityOf(new Date().toISOString().slice(0, 10), 8_431))
let server: SigningIn
let round = 0

beforeAll(async () => {
  server = await serveSigningIn((request, response) => answerOura(state, request, response))
  // As Oura does: each refresh token is for once, and an access token is for a month.
  server.oauth.service.on(Events.BeforeResponse, ({ body }) => {
    round += 1
    Object.assign(body as object, {
      refresh_token: `oura-refresh-${round}`,
      expires_in: MONTH,
      scope: SCOPES,
    })
    state.tokens.add(String(Reflect.get(body as object, 'access_token')))
  })
  const text = `[services.oura]\nbase_url = "${server.origin}"\n[network]\nexempt_origins = ["${server.origin}"]\n`
  writeFileSync(join(bench.folder, 'config.toml'), text, { mode: 0o600 })
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  await server.close()
})

function connecting(): OnTerminal {
  const env = { PFAR_HOME: bench.folder, NO_COLOR: '1' }
  return onTerminal('scripts/pfar.mjs connect oura --allow-development-key', env, [
    [/keep it instead\?[\s\S]*\[passphrase\] > $/, 'plain'],
    [/Client ID > $/, '1234-application'],
    [/Client secret: $/, SECRET],
  ])
}

test('where the port is taken, it is said, and nothing is stored', async () => {
  const other = createServer().listen(48_213, '127.0.0.1')
  const ran = connecting()
  expect(await ran.ended).toBe(1)
  other.close()
  expect(ran.shown()).toContain('has the port to which Oura sends your browser back')
  expect(server.exchanged).toEqual([])
})

test('the browser comes back to the address of the application, and what is allowed is said', async () => {
  const ran = connecting()
  const url = await until(
    () => /(http\S+\/oauth2\/authorize\?\S+)\s/.exec(ran.shown().replaceAll(/\r(?!\n)/g, ''))?.[1] ?? null,
    SOON,
  )
  expect(ran.shown()).toMatch(/developer\.ouraring\.com[\s\S]*http:\/\/localhost:48213\/[\s\S]*heartrate/)
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    redirect_uri: REDIRECT,
    scope: SCOPES,
    code_challenge_method: 'S256',
  })
  const back = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? ''
  expect(back.startsWith(REDIRECT)).toBe(true)
  expect(await (await fetch(back.replace('localhost', '127.0.0.1'))).status).toBe(404)
  expect(await (await fetch(back)).text()).toMatch(/ada@acme\.example at Oura[\s\S]*read your heart rate/)
  expect(await ran.ended).toBe(0)
  expect(ran.shown()).toMatch(/Connected: ada@acme\.example[\s\S]*get my oura data/)
  expect(ran.shown()).not.toContain(SECRET)
})

test('its days are read in by a token that is exchanged, and each refresh token is used once', async () => {
  await bench.start('--no-demo', '--only', 'home')
  await bench.pfar('health', 'allow', '--chat', 'terminal')
  await bench.pfar('approve', '1')
  const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''
  expect(await reply('get my oura data')).toMatch(/One day of your Oura ring is in/)
  // A token that ends before its time is renewed once, and what was asked is read.
  state.tokens.clear()
  expect(await reply('get my oura data')).toMatch(/One day of your Oura ring is in/)
  const spent = server.exchanged.flatMap((body) => body.get('refresh_token') ?? [])
  expect(spent).toEqual(['oura-refresh-1', 'oura-refresh-2'])
})

test('the permission ends with its secret, at Oura too', async () => {
  const asked = await bench.pfar('secret', 'delete', 'oura')
  const word = /--confirm (\S+)/.exec(asked.err)?.[1] ?? asked.err
  expect((await bench.pfar('secret', 'delete', 'oura', '--confirm', word)).code).toBe(0)
  expect(server.revoked.map((body) => [body.get('token'), body.get('client_id')])).toEqual([
    ['oura-refresh-3', '1234-application'],
  ])
})
