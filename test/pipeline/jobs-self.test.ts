/** What the assistant says and knows of the jobs that run: their schedule in words, never the owner's own words, and only while they are on (G-25). */
import { expect, it } from 'vitest'
import { activeJobs } from '../../kernel/features/jobs/status.ts'
import { set, world } from './job-world.ts'
import { createDisk, type World, type WorldOptions } from './world.ts'

const tools: NonNullable<WorldOptions['tools']> = {
  'email.list': () => ({ ok: true, output: { emails: [], more: false } }),
  'slack.list_unanswered': () => ({ ok: true, output: { waiting: [], more: false, partial: false } }),
}

function jobsWorld(): World {
  const disk = createDisk()
  const templates = (): World['powers']['templates'] => of.powers.templates
  const of: World = world({
    ...{ tools, disk },
    self: {
      jobs: () => activeJobs({ store: disk.store, templates: templates(), registry: of.powers.registry }),
    },
  })
  return of
}

/** What a prompt would have by now: it is taken anew after five seconds at the earliest. */
function known(of: World): readonly unknown[] {
  of.clock.now += 6_000
  const section = of.powers.self.current().sections.find(({ kind }) => kind === 'jobs')
  return section?.kind === 'jobs' ? section.items : []
}

it('a job is described from its yes until it is stopped, and again once it goes on', async () => {
  const of = jobsWorld()
  expect(known(of)).toEqual([])
  await of.say('start the slack check')
  expect(known(of)).toEqual([])
  await of.shell.tick()
  await of.say('yes')
  const items = [{ name: 'Slack check', note: 'every weekday at 12:00, 16:00' }]
  expect(known(of)).toEqual(items)
  await of.say('who are you?')
  expect(of.heard()).toContain('Slack check (every weekday at 12:00, 16:00)')
  await of.say('stop the slack check')
  expect(known(of)).toEqual([])
  await of.say('resume the slack check')
  expect(known(of)).toEqual(items)
  await of.say('/removejob 1')
  expect(known(of)).toEqual([])
})

it('a job in the owner’s words is described without them', async () => {
  const of = jobsWorld()
  await set(of, 'every monday and thursday at 9 tell me what mail is unread')
  expect(known(of)).toEqual([{ name: 'What you asked for', note: 'every Monday and Thursday at 09:00' }])
})

it('no more than twenty are described', async () => {
  const of = jobsWorld()
  await set(of, 'every day at 9 tell me what mail is unread')
  const [job] = of.disk.store.jobs()
  if (job === undefined) throw new Error('no job')
  for (let nth = 0; nth < 30; nth += 1) of.disk.store.addJob({ ...job, id: `job${nth}` })
  of.powers.self.touch('job')
  expect(known(of)).toHaveLength(20)
})
