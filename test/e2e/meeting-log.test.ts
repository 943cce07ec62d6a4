/**
 * A recorded meeting goes to Notion at a home without a model: with a card, then without one once the owner has said so, its summary with one in
 * any case, and with a card again from when that is taken back.
 */
import { expect, test } from 'vitest'
import { firefliesState, KEY, meetingRow, serveFireflies } from '../fakes/fireflies-server.ts'
import { databaseRows, idOf, notionState, put, serveNotion, TOKEN } from '../fakes/notion-server.ts'
import { serviceBench } from './service-bench.ts'

const COLUMNS = {
  Name: { type: 'title', title: {} },
  When: { type: 'date', date: {} },
  Minutes: { type: 'number', number: {} },
  Participants: { type: 'rich_text', rich_text: {} },
  Topics: { type: 'multi_select', multi_select: {} },
  Actions: { type: 'multi_select', multi_select: {} },
}
const LOG = `https://www.notion.so/Log-${idOf(20).replaceAll('-', '')}`
const state = notionState()
put(state, ...databaseRows(20, 'Log', COLUMNS))
const recorded = firefliesState()
const sentences = ['The budget first.', 'So the budget is set.', "I'll send the numbers."]
recorded.meetings.push(
  meetingRow('ASxwZxCstx', 'Budget', {
    sentences: sentences.map((text) => ({ speaker_name: 'Tom', text })),
  }),
)
const ROW = {
  Name: { title: [{ type: 'text', text: { content: '2026-11-20' } }] },
  When: { date: { start: '2026-11-20T09:00:00Z' } },
  Minutes: { number: 32 },
  Participants: { rich_text: [{ type: 'text', text: { content: 'ada@acme.example, tom@acme.example' } }] },
  Topics: { multi_select: [{ name: 'budget' }] },
  Actions: { multi_select: [{ name: 'send' }] },
}

const { bench, reply, connected } = serviceBench('notion', () => serveNotion(state), {
  fireflies: () => serveFireflies(recorded),
})
const written = () =>
  state.asked.filter(({ method, path }) => method === 'PATCH' || path === '/v1/pages').map(({ body }) => body)

async function cards(): Promise<readonly { readonly number: number; readonly tool: string }[]> {
  return JSON.parse((await bench.pfar('approvals', '--json')).out)
}

async function approve(): Promise<string> {
  const [card] = await cards()
  const shown = (await bench.pfar('approvals', 'show', String(card?.number))).out
  await bench.pfar('approve', String(card?.number))
  return shown
}

test('before anything is allowed, the row stands on a card', async () => {
  await connected(TOKEN)
  await connected(KEY, 'fireflies')
  const { report } = await bench.ask(`log my last meeting in ${LOG}`)
  expect(report.task.state).toBe('awaiting_approval')
  expect(written()).toEqual([])
  const card = await approve()
  expect(card).toContain('budget')
  expect(written()).toMatchObject([{ properties: ROW }])
})

test('once the owner has said so and said yes, its typed values go without a card', async () => {
  await reply('log meetings without asking')
  expect(await approve()).toContain('notion.add_row')
  const { report } = await bench.ask(`log my last meeting in ${LOG}`)
  expect(report.reply).toContain('Added a row to Log')
  expect(await cards()).toEqual([])
  expect(written().slice(1)).toMatchObject([{ properties: ROW }])
})

test('its summary stands on a card all the same', async () => {
  const before = written().length
  await bench.ask(`log my last meeting in ${LOG} with its summary`)
  expect(written().slice(before)).toMatchObject([{ properties: ROW }])
  expect(await cards()).toMatchObject([{ tool: 'notion.append' }])
  expect(await approve()).toContain('They talked about money.')
  expect(JSON.stringify(written().at(-1))).toContain('They talked about money.')
})

test('it is listed, and from when it is taken back each row asks again', async () => {
  expect((await bench.pfar('grants')).out).toContain('meeting_log')
  const before = written().length
  expect(await reply('ask before you log meetings')).toContain('I ask before each of these writes')
  await bench.ask(`log my last meeting in ${LOG}`)
  expect(written()).toHaveLength(before)
  expect(await cards()).toMatchObject([{ tool: 'notion.add_row' }])
})
