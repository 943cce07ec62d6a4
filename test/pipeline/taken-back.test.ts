/** What was booked or put away last is taken back by words, and an event is cancelled by its name; each after its card, without a model. */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const deleted: string[] = []

function world(): World {
  deleted.length = 0
  const tools = {
    ...mailTools(),
    ...calendarTools(),
    'calendar.delete_event': ({ id }: Readonly<Record<string, unknown>>) => {
      deleted.push(String(id))
      return { ok: true as const, output: { id, title: 'Lunch', gone: false } }
    },
  }
  return createWorld({ tools })
}

describe('undo', () => {
  it.each(['undo that', 'Undo', 'cancel it', 'take it back'])(
    '“%s” deletes what was booked',
    async (words) => {
      const { say, heard } = world()
      await say('book lunch with Sarah on Friday at 13:00')
      await say('yes 1')
      await say(words)
      expect(heard()).toMatch(/Delete this event/)
      expect(deleted).toEqual([])
      await say('yes 3')
      expect(deleted).toEqual(['e2'])
      await say(words)
      expect(heard()).toMatch(
        /nothing that I did last|nothing to put back|What I did last \(deleting the event\)/i,
      )
      expect(deleted).toEqual(['e2'])
    },
  )

  it('with nothing done says so', async () => {
    const { say, heard } = world()
    await say('undo that')
    expect(heard()).toMatch(/nothing that I did last|nothing to put back/i)
  })
})

describe('an event by its name', () => {
  it.each([
    'cancel the standup on Friday',
    'delete my standup meeting',
    'remove the standup from my calendar',
  ])('“%s”', async (words) => {
    const { say, heard } = world()
    await say(words)
    expect(heard()).toMatch(/Delete this event[\s\S]*Standup/)
    await say('no 1')
    expect(heard()).not.toMatch(/09:00–10:00/)
    expect(deleted).toEqual([])
    await say(words)
    await say('yes 3')
    expect(deleted).toEqual(['e1'])
  })

  it('that is not there changes nothing, and lists nothing', async () => {
    const { say, heard } = world()
    await say('cancel the harbour tour on Friday')
    expect(heard()).not.toMatch(/Standup|Delete this/)
    expect(deleted).toEqual([])
  })
})
