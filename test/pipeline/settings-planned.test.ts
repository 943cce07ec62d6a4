/**
 * How it is set up, in a model's plan (L-01, L-10, R-26): the operations that are plannable, for the owner alone, in wording that no rule understands. What
 * changes anything puts a card that shows every argument as it is and who wrote it, runs once as the owner's own sentence does, and is taken back by "undo".
 */
import { describe, expect, it } from 'vitest'
import { answer, auditedAs, onlyOne, TOOLS, waiting } from './approvals-owner.ts'
import { set, world } from './job-world.ts'
import { scriptedModel, type World, type WorldOptions } from './world.ts'

type Steps = readonly Record<string, unknown>[]

const call = (id: string, tool: string, args: Record<string, unknown> = {}) => ({
  id,
  do: 'tool',
  tool,
  args,
})
const admin = (verb: string, args: Record<string, unknown> = {}) => call('s1', `admin.${verb}`, args)

function planned(options: WorldOptions = {}) {
  const plans: Steps[] = []
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: plans.shift() ?? [] }) : 'It is so.',
  )
  const here = world({ models: [model], tools: TOOLS, ...options })
  return {
    ...here,
    async does(said: string, ...steps: Steps): Promise<string> {
      plans.splice(0, plans.length, steps)
      const task = await here.say(said)
      await here.shell.tick()
      const traces = here.disk.store.loadTask(task)?.traces ?? []
      return traces.map(({ outcome, reason }) => reason ?? outcome).join()
    },
  }
}
const operations = (of: World) =>
  auditedAs(of, 'operation_called').filter(({ operation }) => !String(operation).startsWith('approvals.'))

describe('a change', () => {
  it('puts a card with its arguments, runs once by a yes, and is taken back', async () => {
    const of = planned()
    await of.does('juggle the evenings: hush from 22 to 7', admin('quiet_set', { when: '22-7' }))
    const { id, full } = await onlyOne(of)
    console.log(full)
    expect(operations(of)).toEqual([])
    of.clock.now += 1000
    console.log(await answer(of, id))
    console.log(of.sent.map(({ kind, text }) => [kind, text]))
    console.log(operations(of))
    await of.say('undo')
    console.log(of.heard())
  })
  it('status', async () => {
    const of = planned()
    console.log(await of.does('juggle the whole picture of you', admin('status')))
    console.log(of.heard())
    console.log(await of.does('juggle which of them hang on', admin('tools_list')))
    console.log(of.heard())
  })
  it('template', async () => {
    const of = planned()
    console.log(await of.does('juggle strangers out', admin('templates_off', { which: 'strangers' })))
    const { id, full } = await onlyOne(of)
    console.log(full)
    of.clock.now += 1000
    console.log(await answer(of, id), of.heard())
    console.log(await of.does('juggle strangers in', admin('templates_on', { which: 'strangers' })))
    console.log(of.heard())
    console.log((await onlyOne(of)).full)
    console.log(operations(of))
  })
  it('connect', async () => {
    const given: string[] = []
    const lacking = new Set(['notion'])
    const of = planned({
      credentials: {
        lacking,
        refusal: () => null,
        give: async (_s, value) => {
          given.push(value)
          lacking.delete('notion')
          return { ok: true, value: 'stored' }
        },
      },
    })
    console.log(await of.does('juggle my notion in', admin('service_connect', { which: 'notion' })))
    console.log(of.sent.map(({ kind, text }) => [kind, text]))
    of.clock.now += 1000
    await of.say(`ntn_${'N3xt0000'.repeat(6)}`)
    await of.shell.tick()
    console.log(
      given,
      of.sent.map(({ kind, text }) => [kind, text]),
    )
  })
  it('after reading', async () => {
    const of = planned()
    console.log(
      await of.does('juggle it', call('s1', 'email.list'), call('s2', 'admin.quiet_set', { when: '22-7' })),
    )
    console.log(of.heard(), await waiting(of), set)
  })
})
