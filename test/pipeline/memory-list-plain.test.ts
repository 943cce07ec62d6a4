/** "What do you know about me?" in a chat: what was said first, in plain words, and of earlier results a few plain lines. */
import { expect, it } from 'vitest'
import { plainRow } from '../../kernel/features/memory/plain-row.ts'
import { mailTools } from './mailbox.ts'
import { createWorld } from './world.ts'

it.each([
  [
    'evt_new4, Dentist, 2026-12-03T10:00:00Z, primary, https://calendar.example/eventedit/evt_new4',
    'Dentist',
  ],
  [
    'demo-sarah-budget, sarah@example.com, Sarah Chen, Q3 budget, 2026-11-29T11:18:23Z, INBOX',
    'sarah@example.com · Sarah Chen · Q3 budget',
  ],
  ['m1, true, 2026-11-29', ''],
])('%s', (text, plain) => {
  expect(plainRow(text).text).toBe(plain)
})

it.each(['what do you know about me?', 'was weißt du alles über mich?'])('“%s”', async (words) => {
  const world = createWorld({ tools: mailTools() })
  await world.say('remember that the locker is 12')
  for (let at = 0; at < 5; at += 1) await world.say('check my email')
  await world.say(words)
  const lines = world.heard().split('\n')
  expect(lines[0]).toMatch(/^\d+\. the locker is 12 \(/)
  expect(lines.filter((one) => /^\d+\. /.test(one))).toHaveLength(4)
  expect(world.heard()).not.toMatch(/sensitive|email\.list|https?:|\dT\d/)
  expect(lines.at(-1)).toMatch(/2/)
  await world.say('more')
  expect(
    world
      .heard()
      .split('\n')
      .filter((one) => /^\d+\. /.test(one)),
  ).toHaveLength(2)
})
