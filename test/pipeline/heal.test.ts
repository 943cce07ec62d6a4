/**
 * Names in a model's plan that are nearly right (O-32, O-33): the nearest permitted tool and argument, with no second model call, told in
 * the audit; never a write for a read, never another family's write, never one of two.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { correctNames } from '../../kernel/pipeline/correct-names.ts'
import { EFFECT_IDS, lookUpAction } from '../../kernel/powers/effects.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { auditedAs, onlyOne, worldWith } from './approvals-owner.ts'
import { scriptedModel } from './world.ts'

const REGISTRY = createRegistry(TOOL_MANIFESTS)
const ALL = [...EFFECT_IDS, ...REGISTRY.actions.keys()]
const known = { permitted: ALL, registry: REGISTRY }

const isWrite = (id: string): boolean => {
  const found = lookUpAction(REGISTRY, id)
  return found.ok && found.value.semantics === 'write'
}
const familyOf = (id: string): string => id.slice(0, id.indexOf('.'))

/** Tool and names of arguments after healing. */
function healed(tool: string, args: Record<string, unknown> = {}, permitted: readonly string[] = ALL) {
  const { plan } = correctNames(
    { steps: [{ id: 's1', do: 'tool', tool, args }] },
    { permitted, registry: REGISTRY },
  )
  const [step] = (plan as { steps: { tool: string; args: Record<string, unknown> }[] }).steps
  return { tool: step?.tool ?? '', args: Object.keys(step?.args ?? {}) }
}

const DAY = '2026-11-27T09:00:00Z'

describe('a tool', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['calendar.list', {}, 'calendar.list_events'],
    ['calendar.list', { from: DAY, to: DAY }, 'calendar.list_events'],
    ['calendar_list_events', {}, 'calendar.list_events'],
    ['calendar.listEvents', {}, 'calendar.list_events'],
    ['calendar.get_events', {}, 'calendar.list_events'],
    ['calender.list_events', {}, 'calendar.list_events'],
    ['gcal.list_events', {}, 'calendar.list_events'],
    ['list_events', {}, 'calendar.list_events'],
    ['calendar.free_busy', { from: DAY, to: DAY }, 'calendar.freebusy'],
    ['email.raed', { id: 'm1' }, 'email.read'],
    ['mail.search', { words: 'oven' }, 'email.search'],
    ['email.get', { id: 'm1' }, 'email.read'],
    ['email.get', { unread: true }, 'email.list'],
    ['calendar.create', { title: 'Lunch', from: DAY, to: DAY }, 'calendar.create_event'],
    ['calendar.add_event', { title: 'Lunch', from: DAY, to: DAY }, 'calendar.create_event'],
    ['calendar.remove_event', { id: 'e1' }, 'calendar.delete_event'],
    ['email.send_email', { to: [], subject: '', body: '' }, 'email.send'],
    ['email.replly', { id: 'm1', subject: '', body: '', to: 'a@b.de' }, 'email.reply'],
    ['memory.find', { query: 'locker' }, 'memory.search'],
    ['tasks.add', { text: 'milk' }, 'task.add'],
    ['reminder.create', { text: 'milk', due: DAY }, 'reminder.set'],
  ])('%s %j is %s', (written, args, tool) => expect(healed(written, args).tool).toBe(tool))

  it.each<[string, string, Record<string, unknown>]>([
    ['two are as near', 'notion.create', { title: 'x', text: 'y' }],
    ['two are as near', 'email.lookup_read', {}],
    ['a word of it is in none', 'email.reply_all', { id: 'm1', subject: '', body: '' }],
    ['a word of it is in none', 'email.delete_forever', { ids: [] }],
    ['a look does not become a write', 'task.list_done', {}],
    ['a look does not become a write', 'email.get_send', { to: [], subject: '', body: '' }],
    ['a write does not become a look', 'calendar.create_freebusy', { from: DAY, to: DAY }],
    ['a write without its family', 'create_event', { title: 'x', from: DAY, to: DAY }],
    ['a write of another family', 'slack.send', { to: [], subject: '', body: '' }],
    ['another family', 'notion.list_events', {}],
    ['nothing like it', 'shell.run', { command: 'ls' }],
    ['nothing at all', '', {}],
    ['a flood', `calendar.${'list_'.repeat(100)}events`, {}],
  ])('%s: %s is left to be refused', (_, written, args) => expect(healed(written, args).tool).toBe(written))

  it('one that exists and is not permitted never becomes another, nor does a name nearest to it', () => {
    const permitted = ALL.filter((id) => id !== 'email.send')
    for (const name of ['email.send', 'email.sendd', 'email.send_mail'])
      expect(healed(name, {}, permitted).tool).toBe(name)
  })
})

describe('an argument', () => {
  it.each<[string, Record<string, unknown>, readonly string[]]>([
    ['email.search', { query: 'oven' }, ['words']],
    ['web.search', { q: 'oven' }, ['words']],
    ['memory.search', { words: 'locker' }, ['query']],
    ['calendar.list_events', { start: DAY, end: DAY }, ['from', 'to']],
    ['calendar.list_events', { start_time: DAY, end_date: DAY }, ['from', 'to']],
    ['email.list', { after: DAY, limit: 3 }, ['since', 'count']],
    ['email.read', { message_id: 'm1' }, ['id']],
    ['calendar.delete_event', { event_id: 'e1' }, ['id']],
    ['calendar.create_event', { name: 'Lunch', start: DAY, end: DAY }, ['title', 'from', 'to']],
    ['weather.forecast', { city: 'Kiel' }, ['place']],
    ['fireflies.list', { keyword: 'budget' }, ['words']],
    ['email.send', { to: [], subject: 's', text: 't' }, ['to', 'subject', 'body']],
  ])('%s %j', (tool, args, names) => expect(healed(tool, args).args).toEqual(names))

  it.each<[string, string, Record<string, unknown>]>([
    ['where a write goes', 'email.send', { recipient: ['a@b.de'], subject: 's', body: 't' }],
    ['what is posted to', 'http.send', { method: 'POST', link: 'https://a.example/' }],
    ['one of two', 'calendar.update_event', { calendar_id: 'c1' }],
    ['a value of another kind', 'email.list', { limit: 'three' }],
    ['what it has nothing for', 'calendar.list_events', { colour: 'red' }],
    ['two for one', 'email.search', { query: 'oven', keyword: 'bill' }],
    ['another id of a write', 'email.reply', { to: 'a@b.de', draft_id: 'd1', subject: '', body: '' }],
  ])('%s is left as it is', (_, tool, args) => expect(healed(tool, args).args).toEqual(Object.keys(args)))
})

/** A name with one letter left out, doubled, or two swapped. */
const mistyped = fc
  .tuple(fc.constantFrom(...ALL), fc.nat(), fc.constantFrom('drop', 'double', 'swap'))
  .map(([id, at, how]) => {
    const i = at % id.length
    const [one = '', two = ''] = [id[i], id[i + 1]]
    const middle = how === 'drop' ? '' : how === 'double' ? one + one : two + one
    return { id, written: id.slice(0, i) + middle + id.slice(i + (how === 'swap' ? 2 : 1)) }
  })
const part = fc.constantFrom(
  ...new Set(ALL.flatMap((id) => id.split(/[._]/))),
  'get',
  'add',
  'all',
  'mail',
  'x',
)
const madeUp = fc
  .tuple(part, fc.array(part, { minLength: 1, maxLength: 3 }))
  .map(([family, words]) => `${family}.${words.join('_')}`)

describe('whatever a model names', () => {
  it('a slip of one letter never makes a read a write, and a write stays its family’s', () => {
    fc.assert(
      fc.property(mistyped, ({ id, written }) => {
        const { tool } = healed(written)
        if (tool === written) return
        expect(tool === id || !isWrite(tool) || (isWrite(id) && familyOf(tool) === familyOf(id))).toBe(true)
        if (!isWrite(id)) expect(isWrite(tool)).toBe(false)
      }),
      { numRuns: 1_500 },
    )
  })

  it('what it becomes is permitted, and a name that exists stays', () => {
    fc.assert(
      fc.property(fc.oneof(madeUp, fc.constantFrom(...ALL)), fc.subarray(ALL), (written, permitted) => {
        const { tool } = healed(written, {}, permitted)
        expect(tool === written || (permitted.includes(tool) && !ALL.includes(written))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('a made-up name becomes a write only with its verb and its family, and without a word of looking', () => {
    fc.assert(
      fc.property(madeUp, (written) => {
        const { tool } = healed(written)
        if (tool === written || !isWrite(tool)) return
        expect(written).not.toMatch(/[._](?:get|list|read|search|find|check)(?:_|$)/)
        const family = familyOf(tool)
        // Its own, in the singular or the plural.
        expect([family, `${family}s`, family.replace(/s$/, ''), family.slice(1)]).toContain(familyOf(written))
      }),
      { numRuns: 1_500 },
    )
  })

  it('the order of the tools changes nothing, and neither does healing twice', () => {
    const turned = createRegistry([...TOOL_MANIFESTS].reverse())
    fc.assert(
      fc.property(
        fc.oneof(
          madeUp,
          mistyped.map(({ written }) => written),
        ),
        (tool) => {
          const plan = { steps: [{ id: 's1', do: 'tool', tool, args: {} }] }
          const once = correctNames(plan, known).plan
          expect(correctNames(plan, { permitted: ALL, registry: turned }).plan).toEqual(once)
          expect(correctNames(once, known)).toEqual({ plan: once, corrected: [] })
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('in a task', () => {
  const step = (tool: string, args: Record<string, unknown>) => ({ id: 's1', do: 'tool', tool, args })
  const model = (made: unknown) =>
    scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps: [made], explanation: '' }) : 'done',
    )
  const planCalls = (here: ReturnType<typeof worldWith>) =>
    here.prompts.filter(({ parts }) => parts.purpose === 'plan').length

  it('it runs after one plan, and the audit says which tool, in no words of the model', async () => {
    const here = worldWith({ models: [model(step('calendar.list_event', { start: DAY }))] })
    await here.say('juggle whatever there is as usual')
    expect(here.calls.map(({ tool }) => tool)).toEqual(['calendar.list_events'])
    expect(planCalls(here)).toBe(1)
    const told = auditedAs(here, 'fault').filter(({ code }) => code === 'call_healed')
    expect(told).toEqual([
      {
        code: 'call_healed',
        model: 'a-model',
        tool: 'calendar.list_events',
        step: 's1',
        renamed: true,
        arguments: 1,
      },
    ])
  })

  it('a write still asks', async () => {
    const args = { title: 'Lunch', from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
    const here = worldWith({ models: [model(step('calendar.add_event', args))] })
    await here.say('juggle lunch as usual')
    expect((await onlyOne(here)).tool).toBe('calendar.create_event')
    expect(here.calls.filter(({ tool }) => tool === 'calendar.create_event')).toEqual([])
  })
})
