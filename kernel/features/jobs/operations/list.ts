/** `jobs.list`: what runs when. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { flag, list, record, text } from '../../../operations/shape.ts'
import { JOB, jobWords } from './shape.ts'

export const listJobs = defineOperation({
  name: 'jobs.list',
  place: 'both',
  from: 'open',
  effect: 'read',
  plannable: true,
  released: true,
  args: {},
  result: record({
    jobs: list(JOB),
    offered: list(record({ title: text('internal'), tells: text('internal'), ready: flag('internal') })),
  }),
  ports: ['jobs'],
  slash: 'jobs',
  run: async ({ jobs }, _, caller) =>
    ok({ jobs: await jobs.list(caller), offered: jobs.offered(caller.sink) }),
  text({ jobs, offered }, view) {
    const number = jobs.find(({ state }) => state === 'on')?.number
    const set = [
      ...(jobs.length === 0 ? [view.tell('jobs.none')] : jobs.map((job) => jobWords(job, view))),
      ...(number === undefined ? [] : [view.tell('jobs.how_to', { number })]),
    ]
    const ready = offered.filter((one) => one.ready).map(({ title }) => title)
    const [first] = ready
    const count = offered.length - ready.length
    const others = [
      ...(first === undefined ? [] : [view.tell('jobs.could_have', { first, titles: ready.join(', ') })]),
      ...(count === 0 ? [] : [view.tell('jobs.could_later', { count })]),
    ]
    const homes = view.place === 'home' ? [] : [view.tell('jobs.homes')]
    return [set.join('\n'), [...others, ...homes].join('\n')].filter((part) => part !== '').join('\n\n')
  },
})
