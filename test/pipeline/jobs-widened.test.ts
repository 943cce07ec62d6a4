/**
 * A job whose tool an update has widened (DESIGN §9): it is stopped before it runs, with one message and a card; any other update leaves it running.
 */
import { describe, expect, it } from 'vitest'
import { httpManifest } from '../../integrations/tools/http/manifest.ts'
import { fieldIn, type HttpSetting, type SavedRequest } from '../../integrations/tools/http/setting.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { FieldSpec } from '../../kernel/flow/field.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'
import { at, first, mail, next, set, told, world } from './job-world.ts'
import type { World, WorldOptions } from './world.ts'

const DAY = 86_400_000
const tools: NonNullable<WorldOptions['tools']> = {
  'email.list': () => ({ ok: true, output: { emails: [mail('m1')], more: false } }),
}
const email = (() => {
  const found = TOOL_MANIFESTS.find(({ name }) => name === 'email')
  if (found === undefined) throw new Error('email')
  return found
})()
const updated = (list: Partial<ActionManifest>, tool: Partial<ToolManifest> = {}): ToolManifest => ({
  ...{ ...email, ...tool },
  actions: email.actions.map((action) => (action.id === 'email.list' ? { ...action, ...list } : action)),
})
const list = email.actions.find(({ id }) => id === 'email.list')
const output = (change: (fields: Readonly<Record<string, FieldSpec>>) => object): FieldSpec => {
  if (list?.output.kind !== 'record') throw new Error('email.list')
  return { ...list.output, fields: change(list.output.fields) } as FieldSpec
}

/** Set as it is shipped, then the place starts with another version of the tool, and its time comes. */
async function started(manifest: ToolManifest): Promise<World> {
  const before = world({ tools })
  await set(before, 'every day at 8 tell me my unread mail')
  const of = world({ tools, disk: before.disk, manifests: [manifest] })
  of.clock.now = before.clock.now
  await next(of)
  return of
}
const cards = ({ sent }: World) => sent.filter(({ kind }) => kind === 'card').map(({ text }) => text)
const notices = ({ sent }: World) => sent.filter(({ id }) => id.includes(':widened:'))

describe('an update that widens', () => {
  it.each<[string, ToolManifest, RegExp]>([
    [
      'its hosts',
      updated({}, { network: [...email.network, 'mail.example.net'] }),
      /may now reach mail\.example\.net as well/,
    ],
    ['what it may read', updated({ ceiling: 'regulated' }), /more private than before/],
    [
      'who may be told of a field',
      updated({ output: output((fields) => ({ ...fields, more: { kind: 'boolean', level: 'public' } })) }),
      /tells what it reads as less private/,
    ],
    ['who sees what it is asked', updated({ reaches: 'internal' }), /seen by more people/],
  ])('%s stops the job before it runs', async (_, manifest, says) => {
    const of = await started(manifest)
    expect([of.calls, told(of)]).toEqual([[], []])
    expect(first(of)).toMatchObject({ state: 'paused', why: 'widened', due: null })
    expect(of.disk.store.runsOf(first(of).id, 9)).toMatchObject([{ outcome: 'skipped', code: 'job_widened' }])
    expect(notices(of)).toHaveLength(1)
    expect(cards(of)).toEqual([expect.stringMatching(says)])
    // Nothing else resumes it, and nothing more is said.
    await at(of, of.clock.now + 2 * DAY)
    expect([notices(of).length, of.calls]).toEqual([1, []])
  })

  it('a yes has it go on, with what it may reach now; the card is put anew by /resumejob', async () => {
    const of = await started(updated({}, { network: [...email.network, 'mail.example.net'] }))
    of.clock.now += 2 * DAY
    await of.shell.tick()
    await of.say('/resumejob 1')
    expect([of.heard(), first(of).state]).toEqual([expect.stringMatching(/after your yes alone/), 'paused'])
    await of.shell.tick()
    expect(cards(of)).toHaveLength(2)
    of.clock.now += 1_000
    await of.say('yes')
    expect(first(of)).toMatchObject({ state: 'on', why: null })
    expect(first(of).reach?.['email.list']?.hosts).toContain('mail.example.net')
    await next(of)
    expect(told(of)).toHaveLength(1)
  })

  it('a no leaves it stopped', async () => {
    const of = await started(updated({}, { network: [...email.network, 'mail.example.net'] }))
    of.clock.now += 1_000
    await of.say('no')
    expect(first(of)).toMatchObject({ state: 'paused', why: 'widened' })
  })
})

describe('a request that the owner saved and a job calls', () => {
  const SAVED = { name: 'surf', url: 'https://sea.example/surf?at=1', label: 'sensitive' } as const
  const FIELDS = [fieldIn('metres_6h:number')].flatMap((one) => one ?? [])
  const OTHER = { name: 'lake', url: 'https://lake.example/x', label: 'sensitive', fields: FIELDS } as const
  const before: HttpSetting = { hosts: [], saved: [{ ...SAVED, fields: FIELDS }] }
  const output = { name: 'surf', values: [{ field: 'metres_6h', number: 1 }] }
  const answers: NonNullable<WorldOptions['tools']> = { 'http.saved': () => ({ ok: true, output }) }

  /** Set with what was saved, then it is another, and its time comes. */
  async function renamed(after: HttpSetting): Promise<World> {
    const first = world({ tools: answers, manifests: [httpManifest(before)] })
    await set(first, 'start the surf forecast')
    const of = world({ tools: answers, disk: first.disk, manifests: [httpManifest(after)] })
    of.clock.now = first.clock.now
    await next(of)
    return of
  }
  const saved = (change: Partial<SavedRequest>): HttpSetting => ({
    ...before,
    saved: [{ ...SAVED, fields: FIELDS, ...change }],
  })
  const named = (origin: string, key?: string): HttpSetting => ({
    ...before,
    hosts: [{ origin, label: 'internal', ...(key !== undefined && { key }) }],
  })

  it.each<[string, HttpSetting]>([
    ['another address', saved({ url: 'https://sea.example/surf?at=2' })],
    ['another label', saved({ label: 'internal' })],
    ['other fields', saved({ fields: [fieldIn('metres_6h=a.b:number')].flatMap((one) => one ?? []) })],
    ['a key that goes along', named('https://sea.example', 'bearer')],
  ])('with %s stops it before it runs, and asks', async (_, after) => {
    const of = await renamed(after)
    expect([of.calls, told(of)]).toEqual([[], []])
    expect(first(of)).toMatchObject({ state: 'paused', why: 'widened', due: null })
    expect(notices(of)).toHaveLength(1)
    expect(cards(of)).toEqual([expect.stringMatching(/under the name that it calls has changed/)])
    of.clock.now += 1_000
    await of.say('yes 3')
    expect(first(of)).toMatchObject({ state: 'on', why: null })
    await next(of)
    expect(of.calls.map(({ tool }) => tool)).toEqual(['http.saved'])
  })

  it.each<[string, HttpSetting]>([
    ['it is as it was', before],
    ['another one is saved', { ...before, saved: [...before.saved, OTHER] }],
    ['a host with a port of its own is named', named('https://other.example:8443')],
    ['a host with a key is named', named('https://other.example', 'bearer')],
  ])('goes on where %s', async (_, after) => {
    const of = await renamed(after)
    expect(of.calls.map(({ tool }) => tool)).toEqual(['http.saved'])
    expect(first(of)).toMatchObject({ state: 'on', why: null })
  })

  it('of a job that was approved before that was kept is kept with its next run', async () => {
    const of = world({ tools: answers, manifests: [httpManifest(before)] })
    await set(of, 'start the surf forecast')
    const { called: _, ...old } = first(of).reach?.['http.saved'] ?? expect.unreachable()
    of.disk.store.saveJob({ ...first(of), reach: { 'http.saved': old } })
    await next(of)
    expect(Object.keys(first(of).reach?.['http.saved']?.called ?? {})).toEqual(['surf'])
  })
})

describe('any other update', () => {
  it.each<[string, ToolManifest]>([
    ['another version and description', updated({ description: 'Mails.' }, { version: '9.0.0' })],
    [
      'a further field',
      updated({ output: output((fields) => ({ ...fields, extra: { kind: 'boolean', optional: true } })) }),
    ],
    ['fewer hosts', updated({}, { network: [] })],
    [
      'another action that is widened',
      {
        ...email,
        actions: email.actions.map((one) =>
          one.id === 'email.read' ? { ...one, ceiling: 'regulated' } : one,
        ),
      },
    ],
  ])('%s leaves it running', async (_, manifest) => {
    const of = await started(manifest)
    expect([told(of).length, first(of).state, notices(of)]).toEqual([1, 'on', []])
  })

  it('one that was approved before this was kept runs, and keeps what it has', async () => {
    const of = world({ tools })
    await set(of, 'every day at 8 tell me my unread mail')
    of.disk.store.saveJob({ ...first(of), reach: null })
    await next(of)
    expect([told(of).length, first(of).reach?.['email.list']?.ceiling]).toEqual([1, list?.ceiling])
  })
})
