/** Ids of the demo that its emulator draws are counted, so that a request repeated in a fresh demo gets the same bytes. */
import { afterAll, expect, it } from 'vitest'
import { openDemo } from '../../scripts/demo/place.ts'
import { createSteadyIds } from '../../scripts/demo/steady-ids.ts'

const NOW = Date.parse('2026-11-26T15:00:00Z')
const demo = await openDemo({ now: NOW, timezone: 'UTC', googlePort: 0, pagesPort: 0 })
afterAll(() => demo.close())

const asked = async (path: string, method = 'GET', body?: object): Promise<Record<string, unknown>> => {
  const response = await fetch(`${demo.place.google}${path}`, {
    method,
    headers: { authorization: 'Bearer demo', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

const EVENTS = '/calendar/v3/calendars/primary/events'
const at = (hour: number) => ({ dateTime: `2026-11-27T${hour}:00:00Z` })
const event = (summary: string) => ({ summary, start: at(13), end: at(14) })

async function booked(): Promise<readonly unknown[]> {
  const lunch = await asked(EVENTS, 'POST', event('Lunch'))
  const coffee = await asked(EVENTS, 'POST', event('Coffee'))
  const moved = await asked(`${EVENTS}/${String(lunch['id'])}`, 'PATCH', { start: at(15), end: at(16) })
  const read = await asked(`${EVENTS}/${String(lunch['id'])}`)
  await asked(`${EVENTS}/${String(coffee['id'])}`, 'DELETE')
  const { items } = (await asked(EVENTS)) as { items: { id: string; summary: string }[] }
  const draft = await asked('/gmail/v1/users/me/drafts', 'POST', {
    message: { raw: Buffer.from('To: tom@x.example\r\nSubject: Hi\r\n\r\nHi').toString('base64url') },
  })
  const listed = items.filter(({ id }) => id.includes('new')).map(({ id, summary }) => [id, summary])
  return [lunch['id'], lunch['htmlLink'], coffee['id'], moved['id'], read['etag'], draft['id'], listed]
}

it('the same is answered after a reset, and what was given is found by its id', async () => {
  const first = await booked()
  expect(first.at(-1)).toEqual([['evt_new1', 'Lunch']])
  expect(first.slice(0, 4)).toEqual([
    'evt_new1',
    expect.stringMatching(/\/evt_new1$/),
    'evt_new2',
    'evt_new1',
  ])
  expect(first[5]).toBe('r-new1')
  demo.reset()
  expect(await booked()).toEqual(first)
})

it('ids of the seed stay, and so does what only looks like a counted one', () => {
  const ids = createSteadyIds()
  const drawn = {
    id: 'evt_Wtmfx5ybNnnLZhVB',
    thread: 'thr_X1BiaNVHAhF7wToW',
    draft: 'r-17642508000001234567',
  }
  const text = JSON.stringify({ ...drawn, again: drawn.id, seed: 'demo-budget-review' })
  const shown = ids.shown(text)
  expect(JSON.parse(shown)).toEqual({
    ...{ id: 'evt_new1', thread: 'thr_new1', draft: 'r-new1', again: 'evt_new1', seed: 'demo-budget-review' },
  })
  expect(ids.drawn(shown)).toBe(text)
  expect(ids.drawn('evt_new9')).toBe('evt_new9')
})
