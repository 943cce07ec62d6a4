/**
 * A job file of the owner's, as docs/jobs.md prints it: read from the state folder, asked for by its name, run at its time, and bounded by the class of jobs (G-01, B-40).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { readTemplates } from '../../sidecar/config/home-texts.ts'
import { openTemplates } from '../../sidecar/config/own-templates.ts'
import { newFolder } from '../kit/folder.ts'
import { first, next, outcomes, set, told, world } from './job-world.ts'

const page = readFileSync(new URL('../../docs/jobs.md', import.meta.url), 'utf8')
const FILE = /```toml\n(template_id = "my_week"[\s\S]*?)```/.exec(page)?.[1] ?? ''
const EVENT = { id: 'e1', title: 'Dentist', from: '2026-11-23T09:00:00Z', to: '2026-11-23T10:00:00Z' }
const tools = {
  'calendar.list_events': () => ({
    ok: true,
    output: { events: [{ ...EVENT, allDay: false, busy: true, calendar: 'Home' }], more: false },
  }),
} as never

function read(text: string) {
  const state = newFolder('job-file')
  mkdirSync(join(state, 'templates'))
  writeFileSync(join(state, 'templates', 'week.toml'), text)
  const registry = createRegistry(TOOL_MANIFESTS)
  const shipped = readTemplates(registry)
  if (!shipped.ok) throw new Error(shipped.reason.code)
  return openTemplates(state, shipped.value, registry)
}
const ours = (all: ReturnType<typeof read>) => all.now().filter(({ own }) => own === true)

it('is read, set by its name with a card, and runs at its time', async () => {
  const all = read(FILE)
  expect([all.notices(), ours(all).map(({ id }) => id)]).toEqual([[], ['my_week']])
  const of = world({ tools, templates: [parse(FILE)] })
  await of.say('put milk on my list')
  await set(of, 'start the week overview')
  const card = of.sent.map(({ text }) => text).join('\n')
  expect(card).toContain("Week overview: this week's events, and open tasks")
  expect(card).toContain('every Monday at 07:30')
  expect(first(of)).toMatchObject({ template: 'my_week', state: 'on', sink: 'sink:terminal:owner' })
  await next(of)
  expect(outcomes(of)).toEqual(['told'])
  expect(told(of)).toEqual([expect.stringMatching(/^Week overview[\s\S]*milk/)])
})

it.each([
  ['administers', 'allowed_tools = ["calendar.list_events", "brain.load"]'],
  ['reminds', 'allowed_tools = ["calendar.list_events", "reminder.set"]'],
  ['has every read unnamed', 'allowed_tools = ["own:read"]'],
])('is refused where it %s', (_, tools) => {
  const all = read(FILE.replace(/allowed_tools = .*/, tools))
  expect(ours(all)).toEqual([])
  expect(all.notices()).toEqual([expect.stringContaining('templates/week.toml, line ')])
})

it.each([
  ['answers whoever asks', ['output_sinks = ["sink:terminal:owner"]', 'output_sinks = ["reply_to_sender"]']],
  ['has no plan', [/\[\[plans\]\][\s\S]*/, '']],
  ['has a plan of a tool that it does not name', ['tool = "task.list"', 'tool = "email.list"']],
  ['comes every minute', ['repeat = "weekly"\non = "monday"\nat = "07:30"', 'cron = "* * * * *"']],
  ['takes the name of a shipped one', ['template_id = "my_week"', 'template_id = "job_own_words"']],
] as const)('is refused where it %s', (_, [was, is]) => {
  const changed = FILE.replace(was, is)
  expect(changed).not.toBe(FILE)
  expect(ours(read(changed))).toEqual([])
})

it('what is changed in it later is no part of a job that is set, and without it nothing runs', async () => {
  const of = world({ tools, templates: [parse(FILE)] })
  await set(of, 'start the week overview')
  const wider = FILE.replaceAll('task.list', 'email.list')
  const after = world({ tools, templates: [parse(wider)], disk: of.disk })
  after.clock.now = of.clock.now
  await next(after)
  expect(after.calls.filter(({ tool }) => tool === 'email.list')).toEqual([])
  const gone = world({ tools, disk: of.disk })
  gone.clock.now = after.clock.now
  await next(gone)
  expect(outcomes(gone).at(-1)).toBe('failed')
  expect(told(gone)).toEqual([])
})

it('tells a service no words', async () => {
  const weather = FILE.replaceAll('task.list', 'weather.forecast').replace(
    'args = {}',
    'args = { place = "Leeds" }',
  )
  const of = world({ tools, templates: [parse(weather)] })
  await of.say('start the week overview')
  expect(of.disk.store.jobs()).toEqual([])
  expect(of.heard()).toContain('so I set nothing')
})
