/** The open line in real workerd, end to end: answered at the edge, once, in order, acknowledged soon (B-24 – B-26, R-30). */
import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { afterEach, expect, inject, test } from 'vitest'
import type { ApprovalView } from '../../kernel/features/approvals/port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { KEEP_PAGE } from '../fakes/worker/parts.ts'
import {
  answersTo,
  deliveriesAfter,
  endOf,
  hangingCalls,
  hangModel,
  inside,
  owner,
  peer,
  say,
  sayAs,
  sentTo,
  until,
} from './edge.ts'
import { signed } from './signed.ts'

afterEach(() => hangModel(false))

const newest = async (): Promise<number> => (await deliveriesAfter(0)).at(-1)?.seq ?? 0
const range = (n: number): readonly number[] => [...new Array(n).keys()]

test('a greeting on the open line is answered there', async () => {
  const { task, turn } = await say('hello')
  const report = await endOf(task)
  expect(turn).toBeGreaterThan(0)
  expect(report).toMatchObject({ task: { place: 'edge', template: 'owner_open', state: 'completed' } })
  expect(report.reply).not.toBe('')
  expect(report.task.delivered).toMatchObject([{ sink: 'sink:openline:owner' }])
})

test('a page that the owner named is read through the exempt origin', async () => {
  const { task } = await say(`read ${inject('loopback')}/page`)
  const report = await endOf(task)
  expect(report.task.steps).toMatchObject([{ tool: 'web.read', place: 'edge', approved: false }])
  expect(report.reply).toContain('Gooseberr')
})

test('a page at an address that is not exempt is refused, and the owner is told', async () => {
  const { task } = await say('read http://127.0.0.1:9/page')
  const report = await endOf(task)
  expect(report.task.trouble).toMatch(/^(scheme_not_allowed|address_private|host_not_allowed)$/)
  expect(report.reply).not.toBe('')
})

test('the same delivery twice is one task and one answer', async () => {
  const id = crypto.randomUUID()
  const [first, second] = [await say('hello', id), await say('hello', id)]
  await endOf(first.task)
  expect(second.task).toBe(first.task)
  const answers = (await deliveriesAfter(0)).filter(({ task }) => task === first.task)
  expect(answers).toHaveLength(1)
})

test('a message is acknowledged while the model is still running', async () => {
  await hangModel(true)
  const { task } = await sayAs('patient', 'hello there')
  await expect.poll(hangingCalls).toBe(1)
  expect(await sentTo('patient')).toEqual([])
  await hangModel(false)
  await endOf(task, peer('patient'))
  expect(await sentTo('patient')).toHaveLength(1)
})

test('a message is acknowledged although a model call of the same person never ends (B-25)', async () => {
  await hangModel(true)
  try {
    const first = await sayAs('stuck', 'hello there')
    await expect.poll(hangingCalls).toBe(1)
    const second = await sayAs('stuck', 'hello again')
    expect(second.turn).toBe(first.turn + 1)
    expect(await sentTo('stuck')).toEqual([])
  } finally {
    await hangModel(false)
  }
  expect(await answersTo('stuck', 2)).toHaveLength(2)
})

test('fifty messages to one person are all answered, once each, in order', async () => {
  const before = await newest()
  const taken = await Promise.all(range(50).map((n) => say(`hello ${n}`)))
  for (const { task } of taken) await endOf(task)
  const answers = (await deliveriesAfter(before)).filter(({ kind }) => kind === 'answer')
  const inTurns = [...taken].sort((a, b) => a.turn - b.turn).map(({ task }) => task)
  expect(answers.map(({ task }) => task)).toEqual(inTurns)
  expect(new Set(taken.map(({ turn }) => turn)).size).toBe(50)
})

test('fifty people at once get one answer each, to their own words', async () => {
  const users = range(50).map((n) => `crowd${n}`)
  await Promise.all(users.map((user) => sayAs(user, `hello from ${user}`)))
  for (const user of users) {
    const answers = await answersTo(user, 1)
    expect(answers).toHaveLength(1)
    expect(answers[0]?.text).toContain(`hello from ${user}`)
  }
})

test('a waiting reader is woken by the answer', async () => {
  const before = await newest()
  const waiting = deliveriesAfter(before, 20_000)
  const begun = Date.now()
  const { task } = await say('hello')
  expect((await waiting).map((delivery) => delivery.task)).toEqual([task])
  expect(Date.now() - begun).toBeLessThan(10_000)
})

test('a reader that waits in vain gets an empty list', async () => {
  expect(await deliveriesAfter(await newest(), 50)).toEqual([])
})

test('reading deliveries sets the alarm that will delete them, without a message to drive it', async () => {
  const { task } = await say('hello')
  await endOf(task)
  const after = await newest()
  await inside(OWNER_PRINCIPAL, async ({ storage }) => {
    // As for a notice: a text of its own. An answer is stored with its turn.
    storage.sql.exec('update sealed set until = null')
    storage.sql.exec(
      `insert or ignore into sealed select 'out:copy', principal, store, version, label, parts, bytes, null from sealed limit 1`,
    )
    storage.sql.exec(`update deliveries set text = json_set(text, '$.id', 'out:copy') where seq = ?`, after)
    await storage.deleteAlarm()
  })
  await abortAllDurableObjects()
  await deliveriesAfter(after)
  const alarm = await inside(OWNER_PRINCIPAL, ({ storage }) => storage.getAlarm())
  expect(alarm).not.toBeNull()
})

test('answers and tasks are read over HTTP by a signing device', async () => {
  const before = await newest()
  const { task } = await say('hello')
  await endOf(task)
  const listed = await exports.default.fetch(await signed(`/line/deliveries?after=${before}`))
  expect(await listed.json()).toMatchObject({
    deliveries: [{ task, sink: 'sink:openline:owner', kind: 'answer' }],
  })
  const report = await exports.default.fetch(await signed(`/line/tasks/${task}`))
  expect(await report.json()).toMatchObject({ task: { id: task, state: 'completed' } })
})

test('memory is read, corrected and forgotten over HTTP by a signing device', async () => {
  await endOf((await say('remember that the gate code is fig')).task)
  const remembered = async () => {
    const response = await exports.default.fetch(await signed('/line/operations/memory.list', { body: '{}' }))
    const memory = await response.json<readonly { id: string; kind: string; text: string }[]>()
    return memory.filter(({ kind }) => kind === 'fact')
  }
  const change = async (which: string | undefined, text: string | null) => {
    const verb = text === null ? 'forget' : 'correct'
    const body = JSON.stringify(text === null ? { which } : { which, text })
    return (await exports.default.fetch(await signed(`/line/operations/memory.${verb}`, { body }))).status
  }
  const [first] = await remembered()
  expect(first?.text).toBe('the gate code is fig')
  expect(await change(first?.id, 'the gate code is plum')).toBe(200)
  const [second, ...others] = await remembered()
  expect([second?.text, others]).toEqual(['the gate code is plum', []])
  expect(await change(second?.id, null)).toBe(200)
  expect(await remembered()).toEqual([])
})

const UNKNOWN: readonly (readonly [string, string | undefined, string])[] = [
  ['/line/tasks/t0', undefined, 'task_unknown'],
  ['/line/tasks/t0/stop', '{}', 'task_unknown'],
  ['/line/operations/approvals.show', '{"which":"a0"}', 'approval_unknown'],
  ['/line/operations/approvals.approve', '{"which":"a0"}', 'approval_unknown'],
  ['/line/operations/approvals.edit', '{"which":"a0","text":"x"}', 'approval_unknown'],
  ['/line/operations/memory.forget', '{"which":"f0"}', 'memory_unknown'],
  ['/line/operations/memory.correct', '{"which":"f0","text":"x"}', 'memory_unknown'],
  ['/line/operations/memory.show', '{"which":"999"}', 'memory_unknown'],
  ['/line/operations/memory.undo', '{"number":999}', 'memory_gone'],
  ['/line/operations/nothing.known', '{}', 'operation_unknown'],
]

test.each(UNKNOWN)('%s is answered 404 in words', async (path, body, code) => {
  const response = await exports.default.fetch(await signed(path, body === undefined ? {} : { body }))
  const { error } = await response.json<{ error: { code: string; message: string } }>()
  expect([response.status, error.code]).toEqual([404, code])
  expect(error.message).toMatch(/^[A-Z].*\.$/)
})

test('with nothing open the alarm fires once in vain, and is set again only for what expires', async () => {
  const { task } = await say('hello')
  await endOf(task)
  expect(await runDurableObjectAlarm(owner())).toBe(true)
  const minutes = Date.now() + 240_000
  const alarm = () => inside(OWNER_PRINCIPAL, ({ storage }) => storage.getAlarm())
  // Entries that earlier tests forgot expire after ten minutes, texts that were read after a day.
  await expect.poll(async () => (await alarm()) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(minutes)
})

test('an event of another chat is not the owner’s, whatever object receives it', async () => {
  const source = { adapter: 'whatsapp', user: 'mallory', chat: 'owner', group: false }
  const event = {
    id: 'x',
    at: 1,
    source,
    kind: 'message',
    text: 'hello',
    quoted: [],
    attachments: [],
    replyTo: null,
    place: 'edge',
  }
  expect(await owner().receive(OWNER_PRINCIPAL, event)).toMatchObject({
    reason: { code: 'principal_not_allowed' },
  })
})

// Last, because its cards expire, which the alarm waits for.
test('a text awaiting approval is edited over HTTP by a signing device, and approved anew', async () => {
  const { task } = await say(KEEP_PAGE)
  const by = async (operation: string, args: object): Promise<readonly [number, unknown]> => {
    const path = `/line/operations/approvals.${operation}`
    const response = await exports.default.fetch(await signed(path, { body: JSON.stringify(args) }))
    return [response.status, await response.json()]
  }
  const asked = async () => (await by('list', {}))[1] as readonly ApprovalView[]
  const agree = async (id: string | undefined): Promise<number> => (await by('approve', { which: id }))[0]
  // The model's own address needs approval first.
  const [reading] = await until(asked, (found) => found.length > 0)
  expect([reading?.tool, await agree(reading?.id)]).toEqual(['web.read', 200])
  expect(await by('show', { which: String(reading?.number) })).toMatchObject([
    200,
    { over: true, text: expect.stringMatching(/^(You said yes|Done) at \d\d:\d\d/) },
  ])
  const [first] = await until(asked, (found) => found.some(({ tool }) => tool === 'memory.save'))
  expect(first).toMatchObject({ task, tool: 'memory.save', reason: 'write_raw', kind: 'tainted_write' })
  const edit = (args: object) => by('edit', { which: first?.id, ...args })
  const malformed = { error: { code: 'tool_arguments_invalid' } }
  for (const args of [
    {},
    { text: '' },
    { text: 7 },
    { text: 'x', place: 'home' },
    { text: 'x'.repeat(200_001) },
  ])
    expect(await edit(args)).toMatchObject([expect.any(Number), malformed])
  expect(await edit({ text: 'x', field: 'title' })).toMatchObject([404, { error: { code: 'nothing_found' } }])
  expect(await edit({ text: 'x'.repeat(2_001) })).toMatchObject([413, { error: { code: 'field_too_large' } }])
  expect((await asked()).map(({ id }) => id)).toEqual([first?.id])
  expect(await edit({ text: 'Gooseberries: July.' })).toMatchObject([200, { task }])
  const [second] = await until(asked, (found) => found.length > 0 && found[0]?.id !== first?.id)
  expect(second?.full).toContain('text: Gooseberries: July.')
  expect(await agree(second?.id)).toBe(200)
  await endOf(task)
  const memory = await exports.default.fetch(await signed('/line/operations/memory.list', { body: '{}' }))
  expect(JSON.stringify(await memory.json())).toContain('Gooseberries: July.')
})

test('a stop ends the running model call, and says so at once', async () => {
  await hangModel(true)
  try {
    const { task } = await say('hello')
    await until(hangingCalls, (calls) => calls === 1)
    expect(await owner().stop(OWNER_PRINCIPAL, task)).toMatchObject({ ok: true })
    await until(hangingCalls, (calls) => calls === 0)
    expect((await endOf(task)).task).toMatchObject({ state: 'cancelled', trouble: 'task_stopped' })
  } finally {
    await hangModel(false)
  }
})
