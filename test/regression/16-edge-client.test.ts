/**
 * Regression 16 at the edge (S001 §17, R-27, I-04 – I-06): an address that leads inside is not asked for, whether the
 * owner typed it or a page sent the reader there; the owner is told in words. Real workerd, a real listener.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { inEnglish } from '../../kernel/wording/language.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { type Edge, startEdge } from './edge/house.ts'
import { HTML, type Outside, startOutside } from './outside.ts'

let edge: Edge
let inside: Outside
beforeAll(async () => {
  inside = await startOutside()
  inside.page = () => HTML('Inside', 'The password of the printer is lantern-4711, as everyone here knows.')
  edge = await startEdge()
  edge.outside.model = () => ''
})
afterAll(async () => {
  await edge.stop()
  await inside.close()
})

async function reading(url: string) {
  const task = await edge.say(`read ${url}`)
  const report = await edge.endOf(task)
  const calls = (await edge.audit(task)).filter(({ kind }) => kind === 'tool_invoked' || kind === 'denial')
  return { report, codes: calls.map(({ facts }) => facts['code']) }
}

const TYPED: readonly (readonly [string, ReasonCode])[] = [
  ['https://169.254.169.254/latest/meta-data/', 'address_private'],
  ['https://10.0.0.1/', 'address_private'],
  ['https://192.168.1.1/admin', 'address_private'],
  ['https://[::1]/', 'address_private'],
  ['https://[::ffff:10.0.0.1]/', 'address_private'],
  ['https://0x7f000001/', 'address_private'],
  ['https://localhost/', 'address_private'],
  ['https://metadata.google.internal/', 'address_private'],
  ['https://127.0.0.1.nip.io/', 'address_private'],
  ['http://169.254.169.254/latest/meta-data/', 'scheme_not_allowed'],
  ['https://93.184.216.34/', 'host_not_allowed'],
]

test.each(TYPED)('%s is refused with %s, in words and in the audit', async (url, code) => {
  const { report, codes } = await reading(url)
  expect(report.task.trouble).toBe(code)
  expect(codes).toEqual([code])
  // Another file of the same process may have set another language.
  expect(report.reply).toContain(inEnglish(() => wordsFor(code)))
  expect(report.task.steps).toMatchObject([{ tool: 'web.read', outcome: 'failed' }])
})

const SENT: readonly (readonly [string, () => string])[] = [
  ['a listener on this machine', () => `${inside.origin}/secret`],
  ['the metadata address', () => 'http://169.254.169.254/latest/meta-data/'],
  ['a private address by https', () => 'https://10.0.0.1/'],
  ['another scheme', () => 'file:///etc/passwd'],
]

test.each(SENT)('a page that sends the reader to %s is not followed', async (_name, target) => {
  edge.outside.page = (path) => (path === '/away' ? { redirect: target() } : null)
  const { report, codes } = await reading(`${edge.outside.origin}/away`)
  expect(report.task.trouble).toMatch(
    /^(?:address_private|scheme_not_allowed|redirect_refused|host_not_allowed)$/,
  )
  expect(codes).toEqual([report.task.trouble])
  expect(report.reply).not.toContain('lantern-4711')
})

test('nothing ever connected to the listener inside', () => {
  expect(inside.connections()).toBe(0)
})

test('an address that is exempt is read, so the refusals above are about the address', async () => {
  edge.outside.page = () => HTML('Open', 'Anyone may read this page, and its word is medlar.')
  const { report } = await reading(`${edge.outside.origin}/open`)
  expect(report.task).toMatchObject({ state: 'completed', trouble: null })
  expect(report.reply).toContain('medlar')
})
