/**
 * Twitter and Fireflies as their owner has them, at a home without a model: asked for before they are connected, connected, read (a search after a yes to its words),
 * and told of when the service is down and when the key was taken back (I-17, I-18, L-12, L-18).
 */
import { expect, test } from 'vitest'
import { failing, firefliesState, KEY, meetingRow, serveFireflies } from '../fakes/fireflies-server.ts'
import {
  postsOf,
  serveTwitter,
  KEY as TWITTER_KEY,
  timelineOf,
  tweetRow,
  twitterState,
} from '../fakes/twitter-server.ts'
import { serviceBench } from './service-bench.ts'

const POST = tweetRow('19', 'Lift-off 🚀')
// As both of its calls have them.
const twitter = twitterState({ ...postsOf([POST]), ...timelineOf([POST]) })
const { asked } = twitter
const meetings = firefliesState()
meetings.meetings.push(meetingRow('01JABCDEFGHJKMNPQRSTVWXYZ0', 'Roof budget'))

const { bench, reply, connected } = serviceBench('twitterapi', () => serveTwitter(twitter), {
  fireflies: () => serveFireflies(meetings),
})

test('before they are connected, it is said how', async () => {
  expect(await reply('latest tweets from @nasa')).toContain('pfar connect twitterapi')
  expect(await reply('show my fireflies meetings')).toContain('pfar connect fireflies')
  expect([asked, meetings.asked]).toEqual([[], []])
})

test('they are connected on a terminal, with the way to the key', async () => {
  const one = await connected(TWITTER_KEY)
  const other = await connected(KEY, 'fireflies')
  expect(one).toMatch(/twitterapi\.io\/dashboard[\s\S]*is connected/)
  expect(other).toMatch(/app\.fireflies\.ai\/settings[\s\S]*Fireflies is connected/)
  expect(one + other).not.toMatch(new RegExp(`${TWITTER_KEY}|${KEY}`))
})

test('posts of an account are read, and a search asks with its very words', async () => {
  expect(await reply('latest tweets from @nasa')).toMatch(/Lift-off 🚀/)
  const before = asked.length
  expect(await reply('search twitter for roofs')).toMatch(/words: roofs/)
  expect(asked).toHaveLength(before)
  const [card] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  await bench.pfar('approve', String(card.number))
  expect(asked.at(-1)).toContain('query=roofs')
})

test.each(['post on twitter: we open at nine', 'tweet that we open at nine', 'reply on twitter: thank you'])(
  'nothing is searched for what would be published: %s',
  async (words) => {
    const before = asked.length
    const { report } = await bench.ask(words)
    expect([report.task.state, asked.length]).toEqual(['completed', before])
  },
)

test('a meeting is listed, and read by its place or as the last one', async () => {
  expect(await reply('show my recorded meetings')).toMatch(/- Roof budget/)
  expect(await reply('read the first one')).toMatch(/Twelve thousand/)
  expect(await reply('summarise my last fireflies meeting')).toMatch(/Twelve thousand/)
})

test('services that are down and keys that were taken back are told apart, without a word of theirs', async () => {
  meetings.next.push((response) => failing(response, 'service_unavailable', 503))
  const down = [await reply('show my fireflies meetings')]
  twitter.status = 503
  down.push(await reply('latest tweets from @nasa'))
  for (const one of down) expect(one).toMatch(/having trouble right now/)
  twitter.key = 'another'
  meetings.next.push((response) => failing(response, 'auth_failed', 401))
  const revoked = [await reply('latest tweets from @nasa'), await reply('show my fireflies meetings')]
  expect(revoked[0]).toMatch(/does not accept your key any more/)
  expect(revoked[1]).toMatch(/no longer accepts my access/)
  expect([...down, ...revoked].join()).not.toContain('text-of-the-service')
})
