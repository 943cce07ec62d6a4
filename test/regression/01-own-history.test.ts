/**
 * Regression 1 (S001 §17, R-12, invariant A): two people on one channel ask for their history and get their
 * own; a call inside the edge that names another principal is refused by the object. Real workerd, the Worker
 * as it is deployed.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Edge, type Method, peerOf, startEdge } from './edge/house.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge()
  // The writer repeats all that it was shown: what is in no prompt cannot be in an answer.
  edge.outside.model = ({ purpose, user }) => (purpose === 'synthesize' ? `shown: ${user}` : '{"steps":[]}')
})
afterAll(() => edge.stop())

const ASK = 'what did I tell you about plants?'

test('each principal reads the own history, and nobody else’s', async () => {
  await edge.sayAs('telegram', '1001', 'my plant is called basil-4417')
  await edge.sayAs('telegram', '1002', 'my plant is called fern-9902')
  await edge.answersTo('telegram', '1001', 1)
  await edge.answersTo('telegram', '1002', 1)
  const tasks = await Promise.all([edge.sayAs('telegram', '1001', ASK), edge.sayAs('telegram', '1002', ASK)])
  const first = (await edge.answersTo('telegram', '1001', 2)).at(-1)
  const second = (await edge.answersTo('telegram', '1002', 2)).at(-1)
  expect(first).toContain('basil-4417')
  expect(first).not.toContain('fern-9902')
  expect(second).toContain('fern-9902')
  expect(second).not.toContain('basil-4417')
  const reports = await Promise.all([
    edge.endOf(tasks[0], peerOf('telegram', '1001')),
    edge.endOf(tasks[1], peerOf('telegram', '1002')),
  ])
  expect(reports.map(({ task }) => task.delivered.map(({ sink }) => sink))).toEqual([
    ['sink:telegram:1001'],
    ['sink:telegram:1002'],
  ])
})

test('the history of the owner has no words of the others, and theirs have none of the owner', async () => {
  const { reply } = await edge.endOf(await edge.say('hello, my plant is called cactus-7703'))
  expect(reply).toContain('cactus-7703')
  expect(reply).not.toMatch(/basil|fern/)
  await edge.sayAs('telegram', '1001', ASK)
  expect((await edge.answersTo('telegram', '1001', 3)).at(-1)).not.toContain('cactus-7703')
})

/** One row for each method, or this does not compile. */
const METHODS: Readonly<Record<Method, true>> = {
  receive: true,
  deliveries: true,
  draft: true,
  report: true,
  stop: true,
  operate: true,
  waiting: true,
  homeAnswered: true,
  homeMoved: true,
  notify: true,
  beginPart: true,
  addToPart: true,
  endPart: true,
  setLinks: true,
  setAgreements: true,
  linkedLines: true,
  connected: true,
  tapped: true,
  word: true,
  page: true,
  bothLines: true,
}
const OWN = [peerOf('telegram', '1001'), peerOf('telegram', '1002'), 'principal:owner']

test.each(Object.keys(METHODS))('%s in the name of another is refused by every object', async (method) => {
  for (const object of OWN) {
    for (const as of OWN.filter((other) => other !== object)) {
      const attack = { object, as, method, user: as.split(':').at(-1) ?? '' }
      expect(await edge.attack(attack)).toMatchObject({
        ok: false,
        reason: { code: 'principal_not_allowed' },
      })
    }
  }
})

test('the same call is accepted under the own principal, so the refusals above are about the principal', async () => {
  const own = peerOf('telegram', '1001')
  const attack = { object: own, as: own, user: '1001' }
  expect(await edge.attack({ ...attack, method: 'deliveries' })).toMatchObject({ ok: true })
  expect(await edge.attack({ ...attack, method: 'report' })).toMatchObject({
    reason: { code: 'task_unknown' },
  })
})
