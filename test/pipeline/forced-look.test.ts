/** A plan of nothing for a request (O-31): the tools are looked at once before it is said that it cannot be done; never for talk. */
import { describe, expect, it } from 'vitest'
import { RECORD } from '../../kernel/model-call/task-record.ts'
import { onlyOne, worldWith } from './approvals-owner.ts'
import { scriptedModel, type World, type WorldOptions } from './world.ts'

const ASKED = 'please juggle the dentist appointment into my calendar at 13:05 as usual'
const NONE = { steps: [] }
const REFUSED = { steps: [], left_out: 'No tool can juggle.' }
const BOOKED = {
  steps: [
    {
      ...{ id: 's2', do: 'tool', tool: 'calendar.create_event' },
      args: { title: 'dentist', from: '2026-11-27T13:05:00Z', to: '2026-11-27T14:05:00Z' },
    },
  ],
}

async function planned(
  plans: readonly unknown[],
  said = ASKED,
  options: WorldOptions = {},
): Promise<World & { readonly task: string }> {
  const left = [...plans]
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify(left.shift() ?? NONE) : 'That is said.',
  )
  const here = worldWith({ models: [model], ...options })
  return { ...here, task: await here.say(said) }
}

const asksOf = ({ prompts }: World) => prompts.filter(({ parts }) => parts.purpose === 'plan')
const stepsOf = async (here: World & { readonly task: string }) =>
  ((await here.shell.report(here.task))?.task.steps ?? []).map(({ tool, outcome }) => `${tool} ${outcome}`)

describe('a refusal though a tool may fit', () => {
  it('the tools are looked at, described to one more plan, and what it plans is asked about', async () => {
    const here = await planned([REFUSED, BOOKED])
    expect((await onlyOne(here)).tool).toBe('calendar.create_event')
    expect(asksOf(here)).toHaveLength(2)
    const wanted = asksOf(here)[1]?.parts.tools.filter((tool) => tool.wanted === true) ?? []
    expect(wanted.map(({ id }) => id)).toContain('calendar.create_event')
  })

  it('the next plan is told in words that nothing is planned yet; no prompt shows ids of tools as results', async () => {
    const here = await planned([REFUSED, REFUSED])
    const [, again] = asksOf(here)
    expect(again?.parts.instruction).toMatch(/^Nothing is planned yet; .* Go on with s2,/)
    expect(again?.user).toContain('s1 tools.search {"tools":"described here"}')
    const told = here.prompts.find(({ parts }) => parts.purpose === 'synthesize')?.parts.contents
    expect(told?.map(({ action }) => action)).toEqual([RECORD])
  })

  it('once: a second refusal stands, and is said', async () => {
    const here = await planned([REFUSED, REFUSED, BOOKED])
    expect(asksOf(here)).toHaveLength(2)
    expect(await stepsOf(here)).toEqual(['tools.search done'])
    const told = here.prompts.find(({ parts }) => parts.purpose === 'synthesize')?.parts.troubles
    expect(JSON.stringify(told)).toContain('request_left_out')
  })

  it('also where nothing is said of it, if the extractor read a request', async () => {
    const here = await planned([NONE, NONE], 'check my email and juggle it at 13:05')
    expect(await stepsOf(here)).toEqual(['tools.search done'])
  })

  it('words that are longer than a search are searched for in part', async () => {
    const here = await planned([REFUSED, NONE], `${ASKED} ${'and so on '.repeat(300)}`)
    expect(await stepsOf(here)).toEqual(['tools.search done'])
  })
})

describe('no look', () => {
  it.each([
    ['talk', [NONE], 'you are a strange old bird, calendar or not, at 13:05'],
    ['thanks', [NONE], 'thanks, that was a lovely juggle of you'],
    ['words that no tool has', [REFUSED], 'qwzzk vxqj'],
    ['a plan that has something', [{ steps: BOOKED.steps.map((step) => ({ ...step, id: 's1' })) }], ASKED],
  ])('%s', async (_, plans, said) => {
    const here = await planned(plans, said)
    expect(asksOf(here).length).toBeLessThanOrEqual(1)
    expect(await stepsOf(here)).not.toContain('tools.search done')
  })

  it('what the template does not allow is refused by law, and not looked for', async () => {
    const denied = { steps: [{ id: 's1', do: 'tool', tool: 'email.spam', args: { ids: [] } }] }
    const here = await planned([denied, denied])
    expect(await stepsOf(here)).not.toContain('tools.search done')
  })
})
