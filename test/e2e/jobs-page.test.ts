/**
 * A crypto digest that its owner has written to a page of Notion as well, at a home without a model (G-14, X-18): a card, then both at each time; Notion down is
 * told, and the chat has the text; a grant that is revoked makes each time a card.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idOf, notionState, pageRow, put, serveNotion, TOKEN } from '../fakes/notion-server.ts'
import { until } from '../home/fixtures/wait.ts'
import { sendJson, serve } from '../kit/server.ts'
import { SOON } from './chaos-bench.ts'
import { createJobsBench } from './jobs-bench.ts'
import { onTerminal } from './keys-bench.ts'

const DAY = 86_400_000

const state = notionState()
put(state, pageRow(1, 'House'), pageRow(2, 'Reading', { parent: { type: 'page_id', page_id: idOf(1) } }))
const prices = await serve((_, response) => sendJson(response, { bitcoin: { eur: 51_234 } }))
const notion = await serveNotion(state)
const { bench, clock, start, reply, agreed, toldOf, later } = createJobsBench({
  at: Date.parse('2026-11-23T12:00:00Z'),
  args: ['--no-demo', '--only', 'home'],
})
afterAll(async () => {
  await prices.close()
  await notion.close()
})
beforeAll(() => {
  const text = `[services.notion]
base_url = "${notion.origin}"
[network]
exempt_origins = ["${notion.origin}", "${prices.origin}"]
[[tools.http.saved]]
name = "crypto"
url = "${prices.origin}/simple/price"
label = "internal"
fields = ["bitcoin_eur=bitcoin.eur:number"]
`
  writeFileSync(join(bench.folder, 'config.toml'), text, { mode: 0o600 })
})

const onPage = (): string => JSON.stringify(state.children[idOf(2)] ?? [])
const count = (text: string, part: string): number => text.split(part).length - 1

/** Its next time, at a home that is started then. */
const nextDay = () => later((moved) => moved.jump(DAY))

test('its text comes to the chat and to the page, after one card that says which', async () => {
  await start()
  const env = { PFAR_HOME: bench.folder, NO_COLOR: '1', ...clock.env }
  const ran = onTerminal('scripts/pfar.mjs connect notion --allow-development-key', env, [
    [/Credential for notion: $/, TOKEN],
  ])
  await ran.ended
  await agreed('start the crypto digest', /Crypto digest/)
  await agreed(
    'write the crypto digest to my Notion page Reading too',
    /Page: Reading, in Notion \(place: House, kind: page, id: 0+-/,
  )
  expect(await reply('what runs when?')).toMatch(/Crypto digest[\s\S]*Also written to a page in Notion\./)
  expect((await bench.pfar('grants')).out).toMatch(/live[\s\S]*Page: Reading, in Notion/)
  expect(onPage()).toBe('[]')
  await nextDay()
  await until(async () => (await toldOf('51234')).length > 0 && onPage().includes('51234'), SOON)
  expect(count(onPage(), 'words come from others, unchecked')).toBe(1)
  expect(JSON.parse((await bench.pfar('approvals', '--json')).out)).toEqual([])
})

test('with Notion down the chat has it, and it is told that the page has not', async () => {
  const before = onPage()
  for (let request = 0; request < 50; request += 1)
    state.next.push((_, response) => {
      response.writeHead(503, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ object: 'error', status: 503, code: 'service_unavailable', message: 'x' }),
      )
      return true
    })
  await nextDay()
  await until(async () => (await toldOf('could not write this to its page in Notion')).length > 0, SOON)
  expect(await toldOf('51234')).toHaveLength(2)
  expect(onPage()).toBe(before)
  expect(await reply('why did the crypto digest not come?')).toMatch(/sent late; not on its page/)
  state.next.length = 0
})

test('once the grant is revoked, each time is a card, and nothing is written without its yes', async () => {
  const before = onPage()
  const grant = /^(\S+) · live/m.exec((await bench.pfar('grants')).out)?.[1] ?? ''
  expect(await bench.pfar('grants', 'revoke', grant)).toMatchObject({ code: 0 })
  await nextDay()
  const asked = await until(async () => {
    const waiting = JSON.parse((await bench.pfar('approvals', '--json')).out)
    return waiting.length > 0 ? waiting : null
  }, SOON)
  expect(asked).toMatchObject([{ tool: 'notion.append' }])
  expect(onPage()).toBe(before)
  expect(await bench.pfar('approve', String(asked[0].number))).toMatchObject({ code: 0 })
  await until(() => count(onPage(), 'words come from others, unchecked') === 2, SOON)
})
