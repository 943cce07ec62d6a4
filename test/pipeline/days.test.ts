/** Ten ordinary days of the owner's: everything done, and few enough cards that each is read. Prints approvals a day by reason. */
import { describe, expect, it } from 'vitest'
import { dayOf, MOST_CARDS, ORDINARY, readDays } from '../../bench/days/day.ts'
import { replay } from '../../bench/days/replay.ts'

const DAYS = readDays()

it('has ten days', () => {
  expect(DAYS.map(({ name }) => name)).toHaveLength(10)
})

describe.each(DAYS)('$name', (day) => {
  it('is an ordinary day', () => {
    const { requests } = day
    expect(requests.length).toBeGreaterThanOrEqual(ORDINARY.requests)
    expect(requests.flatMap(({ wrote }) => wrote).length).toBeGreaterThanOrEqual(ORDINARY.writes)
    expect(requests.filter(({ mail }) => mail).length).toBeGreaterThanOrEqual(ORDINARY.mails)
  })

  it('is done as recorded, with every card that is expected and few others', async () => {
    const { faults, missing, surplus, asked, cards } = await replay(day)
    const reasons = asked.map(({ reason, count }) => `${count} ${reason}`).join(', ')
    process.stdout.write(
      `${day.name}: ${cards} approvals a day (${reasons}); unexpected: ${surplus.length}\n`,
    )
    expect(faults).toEqual([])
    expect(missing).toEqual([])
    expect(cards).toBeLessThanOrEqual(MOST_CARDS)
  })
})

describe('a replay that is not as recorded', () => {
  const say = 'remember that the locker is 12'
  const told = { about: 'A note', start: '2026-11-23T08:00', mails: [], events: [] }
  const wrote = [{ do: 'remember', text: 'the locker is 12' }]
  const lost = JSON.stringify({ steps: [{ id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm9' } }] })
  const played = (request: object) =>
    replay(dayOf('altered', { ...told, requests: [{ say, wrote, ...request }] }))

  it('has no fault as long as it is as recorded', async () => {
    expect(await played({})).toMatchObject({ faults: [], missing: [], surplus: [], cards: 0 })
  })

  it('names a request without its card', async () => {
    expect(await played({ card: true })).toMatchObject({ missing: [say], faults: [] })
  })

  it.each([
    ['another write', { wrote: [] }, 'writes: '],
    ['a card that does not come', { asked: ['write_raw'] }, 'cards: none'],
    ['a plan that is not asked for', { plans: ['{"steps":[]}'] }, 'a recorded plan'],
    ['an answer that is not asked for', { answers: ['12'] }, 'the recorded answer'],
    ['a mail that is not read', { mail: true }, 'looked at no mail'],
    ['words that no writer is given', { told: 'lantern' }, 'the writer was not given'],
    ['a step that fails', { say: 'do the unusual thing', plans: [lost], wrote: [] }, 'email.read failed'],
    ['a refusal that does not come', { refused: 'write_down' }, 'was not refused'],
  ])('names %s', async (_, request, fault) => {
    const { faults } = await played(request)
    expect(faults).toEqual([expect.stringContaining(fault)])
  })

  it('names a card that nobody expects', async () => {
    const lunch = { say: 'book lunch on Friday at 13:00', wrote: [] }
    expect((await played(lunch)).surplus).toEqual([`“${lunch.say}”: write_template_asks`])
  })
})
