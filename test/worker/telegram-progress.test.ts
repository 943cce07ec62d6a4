/** Progress of the edge's work in the owner's chat with its bot, in real workerd (C-32). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { hangModel } from './edge.ts'
import { bring, order, progressIn, standingIn, typingIn } from './telegram.ts'

/** Longest wait on a busy machine. */
const SOON = { timeout: 15_000 }

beforeAll(() => order({ chats: [OWNER_ID] }))
// Other files expect no chat with the owner at Telegram.
afterAll(() => order({ forget: true }))

test('a message shows the progress of a task, and becomes the answer', async () => {
  const [before, typing] = [(await standingIn(OWNER_ID)).length, await typingIn(OWNER_ID)]
  await hangModel(true)
  try {
    expect(await bring(update(messageFrom(OWNER_ID, 'what do you think of rain?')))).toEqual({ status: 200 })
    await expect.poll(() => progressIn(OWNER_ID), SOON).toMatchObject({ text: 'writing the answer…' })
    // Typing was shown on arrival, and twice since.
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
