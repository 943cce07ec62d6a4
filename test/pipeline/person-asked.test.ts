/** "Wer ist Tom?" is of the contact of that name before it is of anything else; all contacts are shown by the plainest words for them. Without a model. */
import { describe, expect, it } from 'vitest'
import { createWorld } from './world.ts'

const contacts = [
  { name: 'Tom Baker', email: 'tom@baker.example' },
  { name: 'Mira Holm', email: 'mira@holm.example' },
]

async function heard(said: string): Promise<string> {
  const world = createWorld({ contacts })
  await world.say(said)
  return world.heard()
}

describe('somebody who is a contact', () => {
  it.each(['wer ist Tom?', 'whos tom', 'who is tom baker again?', 'kennst du Tom?'])('%s', async (said) => {
    const answer = await heard(said)
    expect(answer).toContain('tom@baker.example')
    expect(answer).not.toContain('mira@holm.example')
  })

  it.each(['wer ist der Bundeskanzler?', "who's Ada Lovelace?", 'wer ist das?'])('not: %s', async (said) =>
    expect(await heard(said)).not.toContain('.example'),
  )
})

describe('all of them', () => {
  it.each(['kontakte', 'zeig meine Kontakte', 'zeig mir alle meine Kontakte an', 'my contacts'])(
    '%s',
    async (said) => {
      const answer = await heard(said)
      for (const { email } of contacts) expect(answer).toContain(email)
    },
  )
})
