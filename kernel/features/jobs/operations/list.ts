/** `jobs.list`: what runs when. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list, record, text } from '../../../operations/shape.ts'
import { JOB, jobWords } from './shape.ts'

export const listJobs = defineOperation({
  name: 'jobs.list',
  place: 'both',
  from: 'open',
  effect: 'read',
  released: true,
  args: {},
  result: record({
    jobs: list(JOB),
    offered: list(record({ title: text('internal'), tells: text('internal') })),
  }),
  ports: ['jobs'],
  slash: 'jobs',
  run: async ({ jobs }, _, caller) =>
    ok({ jobs: await jobs.list(caller), offered: jobs.offered(caller.sink) }),
  text({ jobs, offered }, view) {
    const set = jobs.length === 0 ? [view.tell('jobs.none')] : jobs.map((job) => jobWords(job, view))
    const titles = offered.map(({ title }) => title)
    const [first] = titles
    const others =
      first === undefined ? [] : [view.tell('jobs.could_have', { first, titles: titles.join(', ') })]
    const homes = view.place === 'home' ? [] : [view.tell('jobs.homes')]
    return [...set, ...others, ...homes].join('\n')
  },
})
