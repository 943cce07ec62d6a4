/**
 * Regression 16 at home (S001 §17, R-27, I-04 – I-06): addresses that lead inside are not connected to, whether typed,
 * resolved, resolved differently the second time, or redirected to; a tool with a host list keeps to it. A real home
 * whose resolver is scripted and whose every connection is logged.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { inEnglish } from '../../kernel/wording/language.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { google } from './home/google.ts'
import { configFor, type House, startHouse } from './home/house.ts'
import { createNetLog } from './home/net-log.ts'
import { auditOf } from './home/rows.ts'
import { HTML, type Outside, startOutside } from './outside.ts'

const PUBLIC_ADDRESS = '93.184.216.34'
const net = createNetLog({
  'inside.example.com': [['127.0.0.1']],
  'metadata.example.com': [['169.254.169.254']],
  'mixed.example.com': [[PUBLIC_ADDRESS, '10.0.0.1']],
  'six.example.com': [['fd00::1']],
  'rebinding.example.com': [[PUBLIC_ADDRESS], ['127.0.0.1']],
})

let outside: Outside
let inside: Outside
let house: House
beforeAll(async () => {
  outside = await startOutside()
  inside = await startOutside()
  inside.page = () => HTML('Inside', 'The password of the printer is lantern-4711, as everyone here knows.')
  house = await startHouse(configFor(outside.origin), { env: net.env })
})
afterAll(async () => {
  await house.kill()
  await outside.close()
  await inside.close()
})
beforeEach(() => net.clear())

/** What the last call was refused with, by the audit. */
const lastCode = (): unknown => auditOf(house.folder, 'tool_invoked').at(-1)?.['code']

const TYPED: readonly (readonly [string, ReasonCode])[] = [
  ['https://169.254.169.254/latest/meta-data/', 'address_private'],
  ['https://10.1.2.3/', 'address_private'],
  ['https://192.168.1.1/admin', 'address_private'],
  ['https://[::1]/', 'address_private'],
  ['https://[::ffff:127.0.0.1]/', 'address_private'],
  ['https://2130706433/', 'address_private'],
  ['https://localhost/', 'address_private'],
  ['https://metadata.google.internal/', 'address_private'],
  ['http://169.254.169.254/latest/meta-data/', 'scheme_not_allowed'],
  [`https://${PUBLIC_ADDRESS}/`, 'host_not_allowed'],
]

test.each(TYPED)('%s is refused with %s before a name is asked for', async (url, code) => {
  const { task, reply } = await house.ask(`read ${url}`)
  expect(task).toMatchObject({ trouble: code, steps: [{ tool: 'web.read', outcome: 'failed' }] })
  expect(reply).toContain(inEnglish(() => wordsFor(code)))
  expect(lastCode()).toBe(code)
  expect(net.lines()).toEqual([])
})

const RESOLVED = ['inside.example.com', 'metadata.example.com', 'mixed.example.com', 'six.example.com']

test.each(RESOLVED)('%s, which leads inside, is looked up and not connected to', async (name) => {
  const { task, reply } = await house.ask(`read https://${name}/`)
  expect(task.trouble).toBe('address_private')
  expect(reply).toContain(inEnglish(() => wordsFor('address_private')))
  expect(lastCode()).toBe('address_private')
  expect(net.lines()).toEqual([`lookup ${name}`])
})

test('a name whose second answer leads inside is asked for once, and only the checked address is tried', async () => {
  const { task } = await house.ask('read https://rebinding.example.com/')
  expect(task.trouble).toBe('network_failed')
  expect(net.lines()).toEqual(['lookup rebinding.example.com', `connect ${PUBLIC_ADDRESS}`])
})

const SENT: readonly (readonly [string, () => string])[] = [
  ['a listener on this machine', () => `${inside.origin}/secret`],
  ['a name that leads inside', () => 'https://inside.example.com/'],
  ['the metadata address', () => 'http://169.254.169.254/latest/meta-data/'],
  ['another scheme', () => 'file:///etc/passwd'],
]

test.each(SENT)('a page that sends the reader to %s is not followed', async (_name, target) => {
  outside.page = (path) => (path === '/away' ? { redirect: target() } : null)
  const { task, reply } = await house.ask(`read ${outside.origin}/away`)
  expect(task.trouble).toMatch(/^(?:address_private|scheme_not_allowed|redirect_refused|host_not_allowed)$/)
  expect(lastCode()).toBe(task.trouble)
  expect(reply).not.toContain('lantern-4711')
  expect(net.lines().filter((line) => line.startsWith('connect') && line !== 'connect 127.0.0.1')).toEqual([])
})

const SERVICES: readonly (readonly [string, string])[] = [
  ['check my email', 'email.list'],
  ['what is on my calendar tomorrow', 'calendar.list_events'],
]

test.each(SERVICES)(
  '"%s": %s keeps to the host of its service, and so does its credential',
  async (words, tool) => {
    outside.page = () => ({ redirect: `${inside.origin}/collect` })
    const { task } = await house.ask(words)
    expect(task.steps).toMatchObject([{ tool, outcome: 'failed' }])
    expect(task.trouble).toMatch(/^(?:address_private|scheme_not_allowed|redirect_refused|host_not_allowed)$/)
  },
)

test('the listener inside never saw a connection', () => {
  expect(inside.connections()).toBe(0)
})

test('the host of the list is reached, so the refusals above are about the address', async () => {
  outside.page = google
  const { task, reply } = await house.ask('check my email')
  expect(task).toMatchObject({ state: 'completed', trouble: null })
  expect(reply).toContain('Sarah Chen')
})
