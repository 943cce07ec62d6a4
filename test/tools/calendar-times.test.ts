/** Times to meet: within working hours, of the length that was asked for, on days of work, and whose calendars are not known. */
import { describe, expect, it } from 'vitest'
import { LENGTH, minutesOf } from '../../integrations/dates/lengths.ts'
import { findTimes } from '../../integrations/tools/calendar/times.ts'
import type { ToolCall } from '../../kernel/tool/manifest.ts'

const NOW = Date.parse('2026-11-23T08:00:00Z')
const POWERS = { timezone: 'Europe/Berlin', hours: () => ({ from: 9 * 60, to: 17 * 60 + 30 }) }

async function found(args: object, busy: readonly (readonly [string, string])[] = [], now = NOW) {
  const call = { action: 'calendar.find_times', args, capability: { claims: { issuedAt: now } } }
  const asked: ToolCall[] = []
  const outcome = await findTimes(
    call as unknown as ToolCall,
    async (read) => {
      asked.push(read)
      return { ok: true, output: { slots: busy.map(([from, to]) => ({ from, to, busy: true })) } }
    },
    POWERS,
  )
  return { outcome, asked, output: outcome.ok ? (outcome.output as Record<string, unknown>) : {} }
}

const times = (output: Record<string, unknown>): readonly string[] =>
  (output['times'] as readonly { from: string; to: string }[]).map(
    ({ from, to }) => `${from.slice(5, 16)} ${to.slice(11, 16)}`,
  )

const onThe = (day: string, hour: number): string => {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${day}T${two(hour)}:00 ${two(hour + 1)}:00`
}

describe('times to meet', () => {
  it('are within working hours, where nothing else is, at half hours', async () => {
    const { output, asked } = await found({ from: '2026-11-24', to: '2026-11-25', minutes: 90 }, [
      ['2026-11-24T08:00:00Z', '2026-11-24T09:10:00Z'],
      ['2026-11-24T12:00:00Z', '2026-11-24T15:00:00Z'],
    ])
    expect(asked[0]?.action).toBe('calendar.freebusy')
    // 8:00 UTC is 9:00 there; the last half hour ends at 17:30 there, 16:30 UTC.
    expect(times(output)).toEqual(['11-24T09:30 11:00', '11-24T15:00 16:30'])
  })

  it('begin now at the earliest, and leave days off out unless they alone were asked for', async () => {
    const friday = Date.parse('2026-11-27T15:50:00Z')
    const { output } = await found({ from: '2026-11-27', to: '2026-11-30T12:00:00Z' }, [], friday)
    expect(times(output)).toEqual([8, 9, 10, 11].map((hour) => onThe('11-30', hour)))
    const weekend = await found({ from: '2026-11-28', to: '2026-11-29' })
    expect(times(weekend.output)).toEqual([8, 9, 10, 11, 12, 13, 14, 15].map((hour) => onThe('11-28', hour)))
  })

  it('are all that fit, each beginning where another ends or something else does', async () => {
    const friday = { from: '2026-11-27T07:00:00Z', to: '2026-11-27T11:00:00Z' }
    const sync = ['2026-11-27T08:30:00Z', '2026-11-27T09:00:00Z'] as const
    const { output } = await found(friday, [sync])
    expect(times(output)).toEqual([onThe('11-27', 9), onThe('11-27', 10)])
    expect(output).toMatchObject({ more: false })
  })

  it('are of several days first, and say that there are more', async () => {
    const days = await found({})
    expect(new Set(times(days.output).map((time) => time.slice(0, 5))).size).toBe(8)
    expect(days.output).toMatchObject({ more: true })
    const two = await found({ from: '2026-11-24', to: '2026-11-25T23:00:00Z' })
    expect(times(two.output)).toEqual(
      ['11-24', '11-25'].flatMap((day) => [8, 9, 10, 11].map((hour) => onThe(day, hour))),
    )
  })

  it('say whose calendars nobody read, and hold the guests of each time', async () => {
    const { output } = await found({ attendees: ['sarah@lin.example', 'sarah@lin.example'] })
    expect(output).toMatchObject({ unknown: 'sarah@lin.example' })
    expect((output['times'] as readonly object[])[0]).toMatchObject({ guests: ['sarah@lin.example'] })
    expect((await found({})).output).not.toHaveProperty('unknown')
  })

  it.each([
    ['a length of nothing', { minutes: 0 }],
    ['a length of days', { minutes: 2_000 }],
    ['a span that is over', { from: '2026-11-01', to: '2026-11-02' }],
  ])('are refused for %s', async (_, args) =>
    expect((await found(args)).outcome).toMatchObject({ reason: { code: 'tool_arguments_invalid' } }),
  )
})

it.each([
  ['an hour', 60],
  ['half an hour', 30],
  ['a free hour', 60],
  ['90 minutes', 90],
  ['1.5 hours', 90],
  ['an hour and a half', 90],
  ['eine Stunde', 60],
  ['eine halbe Stunde', 30],
  ['45 Minuten', 45],
  ['a time', null],
])('%s is a length of %s minutes', (words, minutes) => {
  expect(minutesOf(words)).toBe(minutes)
  expect(new RegExp(`^${LENGTH}$`, 'i').test(words)).toBe(minutes !== null)
})
