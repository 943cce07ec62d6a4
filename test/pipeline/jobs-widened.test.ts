/**
 * A job whose tool an update has widened (DESIGN §9): it is stopped before it runs, with one message and a card; any other update leaves it running.
 */
import { describe, expect, it } from 'vitest'
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
