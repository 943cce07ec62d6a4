/**
 * Jobs in the owner's words that read what a private line may: what a service is told stands on the card and is told for this job alone (DESIGN §2, §9), a connected
 * tool is read without a card, and what would be asked about each time is not set.
 */
import { describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { seedDirectives } from '../../kernel/features/directives/directive-keeping.ts'
import { jobDigest } from '../../kernel/features/jobs/frozen.ts'
import { createRegistry, hasCapability } from '../../kernel/tool/registry.ts'
import { readBrainTemplates, readTemplates } from '../../sidecar/config/home-texts.ts'
import { auditedAs } from './approvals-owner.ts'
import { first, next, outcomes, PR, set, told, world } from './job-world.ts'
import type { ScriptedTool, World } from './world.ts'

const DAY = { date: '2026-11-21', sky: 'rain', low: 3, high: 8, rain: 4, chance: 80, wind: 20 }
const given =
  (output: Record<string, unknown>): ScriptedTool =>
  () =>
    ({ ok: true, output }) as never
const WEATHER: ScriptedTool = ({ place }) =>
  ({ ok: true, output: { place: String(place), days: [DAY] } }) as never
const TOOLS = {
  'weather.forecast': WEATHER,
  'github.list_prs': given({ items: [PR], more: false }),
  'web.search': given({ results: [] }),
  'notion.query_db': given({ database: 'Tasks', rows: [], more: false }),
}

/** As at a real home, whose planner is shown the owner's directives. */
async function asked(said: string): Promise<World> {
  const of = world({ tools: TOOLS })
  await seedDirectives(of.powers, readBrainTemplates)
  await set(of, said)
  return of
}
const card = ({ sent }: World): string => sent.map(({ text }) => text).join('\n')
const forecasts = ({ calls }: World) =>
  calls.filter(({ tool }) => tool === 'weather.forecast').map(({ args }) => args['place'])

describe('words that a service is told at each run', () => {
  it.each([
    ['every day at 7 tell me the weather in Leeds', 'Leeds'],
    ['jeden Morgen um 7 das Wetter in Köln', 'Köln'],
    ['every weekday at 7 tell me whether it will rain in Leeds', 'Leeds'],
  ])('%s: stand on the card with who gets them, and are told at its time', async (said, place) => {
    const of = await asked(said)
    expect(card(of)).toContain(`- ${place} (open-meteo.com)`)
    expect(forecasts(of)).toEqual([])
    await next(of)
    expect(forecasts(of)).toEqual([place])
    expect(told(of)).toEqual([expect.stringContaining(`${place}:`)])
    expect(auditedAs(of, 'declassification')).toMatchObject([{ job: 1, tool: 'weather.forecast' }])
    await next(of)
    expect(forecasts(of)).toEqual([place, place])
  })

  it('are told beside what the job reads of the owner’s', async () => {
    const of = await asked('every day at 7 tell me the weather in Leeds and my open pull requests')
    await next(of)
    expect(told(of).join('\n')).toMatch(/Leeds[\s\S]*Faster start/)
  })

  it('are told nobody before the yes, nor after a no', async () => {
    const of = world({ tools: TOOLS })
    await of.say('every day at 7 tell me the weather in Leeds')
    await of.shell.tick()
    of.clock.now += 1_000
    await of.say('no')
    of.clock.now += 86_400_000
    await of.shell.tick()
    expect([forecasts(of), of.disk.store.jobs()]).toEqual([[], []])
  })

  it.each([
    ['another place in the row', { s1: 'f'.repeat(64) }],
    ['no place at all', {}],
    ['another step', { s2: 'f'.repeat(64) }],
  ])('are none but those that the card showed: %s', async (_, tells) => {
    const of = await asked('every day at 7 tell me the weather in Leeds')
    const job = first(of)
    const changed = { ...job, frozen: { ...job.frozen, tells } }
    of.disk.store.saveJob(changed)
    await next(of)
    expect(forecasts(of)).toEqual([])
    // Also where the row were made to fit.
    of.disk.store.saveJob({ ...first(of), digest: jobDigest(changed) })
    await next(of)
    expect(forecasts(of)).toEqual([])
  })

  it('that are planned otherwise by now, as by a newer version, call nothing', async () => {
    const of = await asked('every day at 7 tell me the weather in Leeds')
    const job = first(of)
    expect(job.frozen.planner).toBe('rules')
    const [step] = job.frozen.plan.steps
    const steps = [{ ...step, args: { place: 'Bath' } }] as never
    const changed = { ...job, frozen: { ...job.frozen, plan: { ...job.frozen.plan, steps } } }
    of.disk.store.saveJob({ ...changed, digest: jobDigest(changed) })
    for (let day = 0; day < 5; day += 1) await next(of)
    expect([new Set(outcomes(of)), forecasts(of)]).toEqual([new Set(['failed']), []])
    expect(of.disk.store.runsOf(job.id, 1)).toMatchObject([{ code: 'job_changed' }])
    // It counts as any failure does: one that can never run is stopped.
    expect(first(of)).toMatchObject({ state: 'paused', why: 'failures' })
  })

  it('go to no host that the card did not name: the job is stopped and asks', async () => {
    const of = await asked('every day at 7 tell me the weather in Leeds')
    const job = first(of)
    const reach = job.reach?.['weather.forecast']
    if (reach === undefined) throw new Error('no reach')
    const narrower = { ...reach, hosts: reach.hosts.slice(1) }
    of.disk.store.saveJob({ ...job, reach: { ...job.reach, 'weather.forecast': narrower } })
    await next(of)
    expect([forecasts(of), first(of).why]).toEqual([[], 'widened'])
  })

  it('are of this job alone: a message with the same words asks', async () => {
    const of = await asked('every day at 7 tell me the weather in Leeds')
    await of.say('what is the weather in Leeds')
    expect(forecasts(of)).toEqual([])
    expect(card(of)).toContain('place: Leeds')
  })

  it('go on when the job comes in another chat', async () => {
    const of = await asked('every day at 7 tell me the weather in Leeds')
    const job = first(of)
    const moved = { ...job, sink: 'sink:telegram:private' }
    of.disk.store.saveJob({ ...moved, digest: jobDigest(moved) })
    await next(of)
    expect(forecasts(of)).toEqual(['Leeds'])
  })

  it('of a search are its words', async () => {
    const of = await asked('every friday at 9 search the web for otter news')
    expect(card(of)).toMatch(/gets these words of yours[\s\S]*- otter news \(\S+\)/)
  })
})

describe('a connected tool is read without a card of its own', () => {
  it.each([
    'each morning my open pull requests',
    'every morning show me my open pull requests',
    'jeden Morgen meine offenen Pull Requests',
  ])('%s', async (said) => {
    const of = await asked(said)
    expect(card(of)).toContain('It reads, and changes nothing:\n- ')
    expect(card(of)).not.toContain('gets these words')
    await next(of)
    expect(told(of)).toEqual([expect.stringContaining('Faster start')])
    expect(auditedAs(of, 'declassification')).toEqual([])
  })

  it('what is connected later is no part of a job that was set before', async () => {
    const of = await asked('every morning show me my open pull requests')
    await next(of)
    const [row] = of.disk.store.runsOf(first(of).id, 1)
    expect(of.disk.store.loadTask(row?.task ?? '')?.tools).toEqual(['github.list_prs'])
  })

  it('the template names each kind of read that a private line has, and no write', () => {
    const registry = createRegistry(TOOL_MANIFESTS)
    const loaded = readTemplates(registry)
    const own = loaded.ok ? loaded.value.find(({ id }) => id === 'job_own_words') : undefined
    const reads = [...registry.actions.values()].filter((one) => hasCapability(one, 'own:read'))
    const paid = ['twitter.search_tweets', 'twitter.user_tweets']
    const kept = ['reminder.list', 'task.list']
    expect(own?.tools.toSorted()).toEqual(
      [...reads.map(({ id }) => id).filter((id) => !paid.includes(id)), ...kept].toSorted(),
    )
  })
})

it('what is asked for beside it is told as well', async () => {
  const { disk } = await asked('every day at 7 tell me the weather in Leeds and my tasks')
  const steps = disk.store.jobs().flatMap(({ frozen }) => frozen.plan.steps)
  expect(steps.map((step) => ('tool' in step ? step.tool : ''))).toEqual(['weather.forecast', 'task.list'])
})

describe('is not set', () => {
  it.each([
    'every day at 8 tell me the weather',
    'every day at 8 my back hurts',
    'every day at 8 delete the spam',
    'every day at 8 book a table',
    'am I free every monday at 9?',
    'my meetings every monday',
    'every day at 7 tell me the weather in Leeds and York',
    'every day at 7 tell me a joke and the weather in Leeds',
    'jeden Tag um 7 das Wetter in Leeds und meine Aufgaben',
    'every monday at 9 team standup',
    'jeden Montag um 9 das Teammeeting',
  ])('%s', async (said) => {
    const of = await asked(said)
    expect(of.disk.store.jobs()).toEqual([])
  })
})

it('outcomes of a run that tells a service are those of any run', async () => {
  const of = await asked('every day at 7 tell me the weather in Leeds')
  await next(of)
  expect(outcomes(of)).toEqual(['told'])
})
