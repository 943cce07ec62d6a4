/**
 * Notion as its owner has it, at a home without a model: asked for before it is connected, connected with a wrong token and then a right one, read, written to
 * by a card that shows the page, and not written to where the page was published meanwhile (I-15, L-11, L-12, L-18).
 */
import { expect, test } from 'vitest'
import {
  blockRow,
  databaseRows,
  idOf,
  notionState,
  pageRow,
  put,
  richText,
  serveNotion,
  TOKEN,
} from '../fakes/notion-server.ts'
import { serviceBench } from './service-bench.ts'

const state = notionState()
const under = { parent: { type: 'page_id', page_id: idOf(1) } }
put(state, pageRow(1, 'House'), pageRow(2, 'Todo', under), pageRow(3, 'Roof plan', under))
put(state, ...databaseRows(20, 'Shopping', { Name: { type: 'title', title: {} } }, under))
state.children[idOf(3)] = [
  blockRow(40, 'paragraph', { rich_text: richText('Tiles first, then the ladder.') }),
]

const { bench, reply, connected } = serviceBench('notion', () => serveNotion(state))
const written = (): readonly string[] =>
  state.asked.filter(({ method, path }) => method === 'PATCH' || path === '/v1/pages').map(({ path }) => path)

async function answerCard(how: 'approve' | 'deny'): Promise<string> {
  const [card] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  const shown = (await bench.pfar('approvals', 'show', String(card.number))).out
  await bench.pfar(how, String(card.number))
  return shown
}

test('before it is connected, it is said how', async () => {
  expect(await reply('search notion for roof')).toContain('pfar connect notion')
  expect(state.asked).toEqual([])
})

test('a wrong token changes nothing, and a right one is told the way to', async () => {
  const wrong = await connected(`ntn_${'x'.repeat(46)}`)
  expect(wrong).toContain('did not accept that. Nothing was stored.')
  expect(await reply('search notion for roof')).toContain('pfar connect notion')
  const right = await connected(TOKEN)
  expect(right).toMatch(/profile\/integrations[\s\S]*"Access"[\s\S]*Notion is connected/)
  expect(right).not.toContain(TOKEN)
})

test('it is read', async () => {
  expect(await reply('search notion for roof')).toMatch(/Roof plan \(page/)
  expect(await reply('read my notion page Roof plan')).toMatch(/Tiles first, then the ladder/)
  expect(await reply('read my notion page Cellar')).toMatch(/no page of that name/)
  expect(await reply('who can read my notion page Todo')).toMatch(
    /a page in House; whoever it is shared with/,
  )
})

test('a page that is longer than one answer is read on, and a found one is opened by its place', async () => {
  put(state, pageRow(4, 'Diary', under))
  state.children[idOf(4)] = Array.from({ length: 40 }, (_, at) =>
    blockRow(100 + at, 'paragraph', { rich_text: richText(`Day ${at + 1}. ${'word '.repeat(380)}`) }),
  )
  expect(await reply('read my notion page Diary')).toMatch(/Day 1\.[\s\S]*say "more"/)
  const rest = await reply('read on')
  expect(rest).toMatch(/> Day (?:1[4-9]|2\d)\./)
  expect(rest).not.toMatch(/Day 1\. /)
  expect(await reply('search notion for roof')).toMatch(/Roof plan/)
  expect(await reply('open the first one')).toMatch(/Tiles first, then the ladder/)
})

test.each([
  [401, 'The service no longer accepts my access. It needs to be connected again.'],
  [503, 'The service is having trouble right now. Please try again later.'],
])('of an answer with %i it is said what that means', async (status, said) => {
  state.next.push((_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'error', message: 'text-of-the-service' }))
    return true
  })
  const told = await reply('search notion for roof')
  expect(told).toContain(said)
  expect(told).not.toMatch(/text-of-the-service|Roof plan/)
})

test('what is to be put there is no fact to remember', async () => {
  const { report } = await bench.ask('save this in notion')
  expect(report.reply).not.toMatch(/saved|remember/i)
  expect((await bench.pfar('memory', 'list')).out).not.toContain('in notion')
})

test('a page is written to after a yes, and the card shows which', async () => {
  const { report } = await bench.ask('add buy paint to my notion page Todo')
  expect(report.task.state).toBe('awaiting_approval')
  expect(written()).toEqual([])
  const card = await answerCard('approve')
  expect(card).toMatch(/place: House/)
  expect(card).toContain(`id: ${idOf(2)}`)
  expect(card).toContain('Whoever it is shared with in Notion can read it.')
  expect(written()).toEqual([`/v1/blocks/${idOf(2)}/children`])
  expect(state.children[idOf(2)]).toMatchObject([
    { paragraph: { rich_text: [{ text: { content: 'buy paint' } }] } },
  ])
})

test('a page is made under another one, and an entry in a database', async () => {
  await bench.ask('make a notion page called Chimney under House')
  await answerCard('approve')
  await bench.ask('add milk to my notion database Shopping')
  await answerCard('approve')
  expect(written().slice(1)).toEqual(['/v1/pages', '/v1/pages'])
  expect(await reply('make a notion page called Attic')).toMatch(
    /I need one page or database to put it under/,
  )
})

test('a page is not written to that was published meanwhile', async () => {
  const before = written().length
  await bench.ask('add the code is 4711 to my notion page Todo')
  put(state, pageRow(1, 'House', { public_url: 'https://acme.notion.site/House' }))
  await answerCard('approve')
  expect(written()).toHaveLength(before)
})

test('one column of a row is set after a yes, and not where it says something else by then', async () => {
  const status = {
    options: ['Open', 'Doing', 'Done'].map((name, at) => ({ id: `s${at}`, name, color: 'blue' })),
    groups: ['To-do', 'In progress', 'Complete'].map((name, at) => ({
      ...{ id: `g${at}`, name, option_ids: [`s${at}`] },
    })),
  }
  const columns = { Name: { type: 'title', title: {} }, Status: { type: 'status', status } }
  put(state, ...databaseRows(50, 'Errands', columns))
  for (const [at, title] of ['Tax return', 'Buy tiles'].entries())
    put(
      state,
      pageRow(60 + at, title, {
        parent: { type: 'data_source_id', data_source_id: idOf(51), database_id: idOf(50) },
        properties: {
          Name: { type: 'title', title: richText(title) },
          Status: { type: 'status', status: { id: 's0', name: 'Open' } },
        },
      }),
    )
  const statusOf = (number: number): unknown => {
    const cells = (state.objects[idOf(number)]?.['properties'] ?? {}) as Record<string, { status?: unknown }>
    return cells['Status']?.status
  }
  const patched = (): readonly string[] =>
    written().filter((path) => path.startsWith('/v1/pages/') && path !== '/v1/pages')
  expect(await reply('show my notion database Errands')).toMatch(/Tax return[\s\S]*Buy tiles/)
  const { report } = await bench.ask('mark the second one done')
  expect([report.reply, report.task.state, patched()]).toEqual([expect.any(String), 'awaiting_approval', []])
  const card = await answerCard('approve')
  expect(card).toMatch(/name: Buy tiles/)
  expect(card).toMatch(/column: Status/)
  expect(card).toMatch(/now: Open/)
  expect(card).toMatch(/then: Done/)
  expect([patched(), statusOf(61)]).toEqual([[`/v1/pages/${idOf(61)}`], { name: 'Done' }])
  expect(await reply('undo that')).toMatch(/then: Open/)
  await answerCard('approve')
  expect([patched().length, statusOf(61)]).toEqual([2, { name: 'Open' }])
  await bench.ask('set the status of the tax return row to doing')
  const row = state.objects[idOf(60)]?.['properties'] as Record<string, unknown>
  row['Status'] = { type: 'status', status: { id: 's2', name: 'Done' } }
  await answerCard('approve')
  expect(patched()).toHaveLength(2)
})

test('a page is commented on after a yes, and its comments are read', async () => {
  const page = state.objects[idOf(1)] as Record<string, unknown>
  page['public_url'] = null
  await bench.ask('comment on my notion page Roof plan: the slates are here')
  expect(state.comments[idOf(3)]).toBeUndefined()
  expect(await answerCard('approve')).toMatch(/text: [Tt]he slates are here/)
  expect(state.comments[idOf(3)]).toHaveLength(1)
  expect(await reply('show the comments on my notion page Roof plan')).toMatch(/PFAR, [\s\S]*slates are here/)
})
