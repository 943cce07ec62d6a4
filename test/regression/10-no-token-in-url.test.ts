/**
 * Regression 10 and invariant H (S001 §17, R-08, R-21): no credential, token or signature stands in any URL that a
 * service, a page or the edge was asked for; they travel in headers. Logs and configuration hold none either. A real
 * home against services that note every request, its tunnel included.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { denyCard } from '../../kernel/features/approvals/operations/deny.ts'
import { createOpenLink } from '../../sidecar/cli/line/open-link.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { loadDeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { until } from '../home/fixtures/wait.ts'
import { filesIn } from './files.ts'
import { google } from './home/google.ts'
import { configFor, type House, resultOf, startHouse } from './home/house.ts'
import { HTML, type Outside, type Seen, startOutside } from './outside.ts'

let services: Outside
let edge: Outside
let house: House
beforeAll(async () => {
  services = await startOutside()
  edge = await startOutside()
  services.page = (path, body) =>
    path === '/page' ? HTML('A page', 'It says nothing of interest, at some length.') : google(path, body)
  house = await startHouse(configFor(services.origin), { env: { PFAR_EDGE_URL: edge.origin } })
  for (const words of [
    'check my email',
    'read the one from Sarah',
    'what is on my calendar tomorrow',
    'when am I free on Friday',
    `read ${services.origin}/page`,
  ])
    expect((await house.ask(words)).task.state).toBe('completed')
  const { task } = await house.ask('book "Dentist" tomorrow from 15:00 to 16:00')
  resultOf(
    await house.client.ask('operation', { operation: 'approvals.approve', args: { which: task.approval } }),
  )
  await until(async () => ((await house.report(task.id)).task.state === 'completed' ? true : null), 30_000)
  await until(() => edge.seen.length > 0, 30_000)
  const folder = openStateFolder(house.folder)
  const device = folder.ok ? loadDeviceKey(folder.value) : folder
  if (!device.ok) throw new Error(device.reason.code)
  const line = createOpenLink({ edge: edge.origin, device: device.value })
  await line.send({ id: 'm1', text: 'hello' })
  await line.deliveries(0, 0)
  await line.call(denyCard, { which: 'a1' })
  line.close()
})
afterAll(async () => {
  await house.kill()
  await services.close()
  await edge.close()
})

const all = (): readonly Seen[] => [...services.seen, ...edge.seen]
const WORDS =
  /(?:access|refresh|id)?_?token|api_?key|[?&](?:key|sig|signature|auth|code|password|secret|nonce|created|keyid)=/i

/** What was sent in headers to prove who asks: none of it may stand in a URL. */
function proofs(): readonly string[] {
  return all().flatMap(({ headers }) => {
    const bearer = String(headers['authorization'] ?? '').replace(/^Bearer /, '')
    const input = String(headers['signature-input'] ?? '')
    const named = [...input.matchAll(/(?:nonce|keyid)="([^"]+)"/g)].map(([, value]) => value ?? '')
    const signature = /:([A-Za-z0-9+/=]+):/.exec(String(headers['signature'] ?? ''))?.[1] ?? ''
    return [bearer, signature, ...named].filter((proof) => proof !== '')
  })
}

test('every kind of request was seen, and each proved who asks in its headers', () => {
  const lines = all().map(({ line }) => line.split('?')[0])
  expect(lines).toEqual(
    expect.arrayContaining([
      'GET /gmail/v1/users/me/messages',
      'GET /gmail/v1/users/me/messages/m1',
      'GET /calendar/v3/calendars/primary/events',
      'POST /calendar/v3/calendars/primary/events',
      'POST /calendar/v3/freeBusy',
      'GET /calendar/v3/users/me/calendarList',
      'GET /page',
      'GET /tunnel',
      'POST /line/messages',
      'GET /line/deliveries',
      'POST /line/operations/approvals.deny',
    ]),
  )
  const silent = all().filter(
    ({ line, headers }) =>
      line !== 'GET /page' && headers['authorization'] === undefined && headers['signature'] === undefined,
  )
  expect(silent.map(({ line }) => line)).toEqual([])
  expect(proofs().length).toBeGreaterThan(10)
})

test('a page is asked for without any proof of who asks', () => {
  const page = services.seen.find(({ line }) => line === 'GET /page')
  expect(Object.keys(page?.headers ?? {})).not.toEqual(expect.arrayContaining(['authorization']))
  expect(page?.headers['cookie']).toBeUndefined()
})

test('no URL holds what the headers proved', () => {
  for (const { line } of all())
    for (const proof of proofs())
      expect([line, line.includes(proof) || line.includes(encodeURIComponent(proof))]).toEqual([line, false])
})

test('no URL has a parameter that is named like one', () => {
  expect(
    all()
      .map(({ line }) => line)
      .filter((line) => WORDS.test(line)),
  ).toEqual([])
})

test('the words that were looked for would have been found', () => {
  for (const line of [
    'GET /x?access_token=1',
    'GET /x?a=1&key=2',
    'GET /bot1:token/send',
    'GET /tunnel?signature=s',
  ])
    expect(line).toMatch(WORDS)
})

test('neither the configuration nor what home printed holds an address with a proof in it', () => {
  const printed = house.process.stdout() + house.process.stderr()
  const config = readFileSync(join(house.folder, 'config.toml'), 'utf8')
  const logs = filesIn(house.folder).filter((file) => file.endsWith('.log'))
  const texts = [printed, config, ...logs.map((file) => readFileSync(join(house.folder, file), 'utf8'))]
  for (const text of texts)
    expect([...text.matchAll(/\b[a-z]+:\/\/\S+/g)].filter(([url]) => WORDS.test(url))).toEqual([])
})
