/** A world with a job that is set by its words and a yes: its rows, and what it has told. For the tests of jobs that tell what is new. */
import { createWorld, type World, type WorldOptions } from './world.ts'

export type Mail = Readonly<Record<string, unknown>>
export const mail = (id: string, more: Mail = {}): Mail => ({
  ...{ id, from: 'sarah@example.com', fromName: 'Sarah', subject: `Subject ${id}`, unread: true },
  ...{ date: '2026-11-20T06:00:00Z', hasAttachments: false, snippet: 'Two numbers', ...more },
})

export const world = (options: WorldOptions) => createWorld({ pushes: true, ...options })
export const first = ({ disk: { store } }: World) => {
  const [job] = store.jobs()
  if (job === undefined) throw new Error('no job')
  return job
}
export const outcomes = (of: World) =>
  of.disk.store
    .runsOf(first(of).id, 2_000)
    .toReversed()
    .map(({ outcome }) => outcome)
export const told = ({ sent, disk: { store } }: World) =>
  sent
    .filter(({ task }) => task !== null && store.loadTask(task)?.principal.startsWith('principal:cron:'))
    .map(({ text }) => text)

export async function at(of: World, moment: number): Promise<void> {
  of.clock.now = moment
  await of.shell.tick()
}

/** Says it, and yes to the card. */
export async function set(of: World, said: string): Promise<void> {
  await of.say(said)
  await of.shell.tick()
  of.clock.now += 1_000
  await of.say('yes')
}

/** Its next time. */
export async function next(of: World): Promise<void> {
  await at(of, Number(first(of).due))
}

export const PR = {
  ...{
    item: 'acme/site#12',
    kind: 'pull',
    repo: 'acme/site',
    number: 12,
    title: 'Faster start',
    state: 'open',
  },
  ...{ author: 'ada', created: '2026-11-20T06:00:00Z', updated: '2026-11-20T06:00:00Z', comments: 0 },
}
export const NOTICE = {
  ...{ id: '77', item: 'acme/site#9', repo: 'acme/site', kind: 'issue', reason: 'mention', unread: true },
  ...{ title: 'Broken link', updated: '2026-11-20T06:00:00Z' },
}
export const POST = {
  ...{ post: 'at://did:plc:a/app.bsky.feed.post/1', author: 'ada.example.com', text: 'A post', likes: 0 },
  ...{ reposts: 0, replies: 0, answers: false, pictures: 0 },
}

export const TWEET = {
  ...{ id: '1', author: 'nasa', name: 'NASA', text: 'Launch', likes: 1, reposts: 0, replies: 0 },
  ...{ answers: false, link: 'https://x.com/nasa/status/1', created: '2026-11-20T06:00:00Z' },
}

export const WAITS = {
  ...{ conversation: 'D00000SARAH', kind: 'direct', from: 'Sarah', text: 'Lunch on Friday?', count: 1 },
  at: '2026-11-20T06:00:00Z',
}
