/** What the edge's status says of itself: its chats, the one that does not work first, and the version that is deployed (L-08). */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VERSION } from '../../durable-objects/platform/version.ts'
import { edgeLines } from '../../durable-objects/principal/place-lines.ts'

const line = `Version ${VERSION}.`

const [OPEN, BOT] = ['sink:openline:owner', 'sink:telegram:open']

test.each([
  [
    'a bot that works',
    [BOT, OPEN],
    [BOT, OPEN],
    ['Chats that reach me here: Telegram, the open line.', line],
  ],
  [
    'a bot that does not',
    [BOT, OPEN],
    [OPEN],
    [expect.stringMatching(/^Telegram does not work now/), 'Chats that reach me here: the open line.', line],
  ],
  ['no bot', [OPEN], [OPEN], ['Chats that reach me here: the open line.', line]],
])('with %s', (_, sinks, heard, lines) => {
  expect(edgeLines({ receives: (sink) => heard.includes(sink) }, sinks)).toEqual(lines)
})

test('the version is that of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(VERSION).toBe(version)
})
