/** What the owner's chat with the edge's bot shows while the edge works for him, in real workerd (C-32). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { hangModel } from './edge.ts'
import { bring, order, progressIn, standingIn, typingIn } from './telegram.ts'

/** Milliseconds on a busy machine. */
const SOON = { timeout: 15_000 }

beforeAll(() => order({ chats: [OWNER_ID] }))
// Other files find no chat of his at Telegram, as before.
afterAll(() => order({ forget: true }))

test('a message says how far the work is, and becomes the answer', async () => {
  const [before, typing] = [(await standingIn(OWNER_ID)).length, await typingIn(OWNER_ID)]
  await hangModel(true)
  try {
    expect(await bring(update(messageFrom(OWNER_ID, 'what do you think of rain?')))).toEqual({ status: 200 })
    await expect.poll(() => progressIn(OWNER_ID), SOON).toMatchObject({ text: 'writing the answer…' })
    // Told when it came, and twice since.
    await expect.poll(() => typingIn(OWNER_ID), SOON).toBeGreaterThanOrEqual(typing + 3)
    expect(await standingIn(OWNER_ID)).toHaveLength(before)
  } finally {
    await hangModel(false)
  }
  const shown = await progressIn(OWNER_ID)
  await expect.poll(async () => (await standingIn(OWNER_ID)).length, SOON).toBe(before + 1)
  expect((await standingIn(OWNER_ID)).at(-1)?.id).toBe(shown?.id)
  expect(await progressIn(OWNER_ID)).toBeUndefined()
})
