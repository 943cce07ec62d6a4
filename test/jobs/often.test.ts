/** Jobs that come several times a day: when, over both changes of the clocks; how they are said; and how often at most. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { retryAt } from '../../kernel/features/jobs/retry.ts'
import { nextKept, nextTimes, passed } from '../../kernel/features/jobs/schedule.ts'
import { whenWords } from '../../kernel/features/jobs/shown.ts'
import type { JobRepeat } from '../../kernel/features/reminders/repeat.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const iso = (times: readonly number[]) => times.map((time) => new Date(time).toISOString().slice(5, 16))
const minutes = (every: number): JobRepeat => ({ kind: 'minutes', every, first: '2026-11-20 00:00' })
const at8and14 = { kind: 'daily', every: 1, first: '2026-11-20 08:00', times: [480, 840] } as const
const nights = { ...at8and14, first: '2026-11-20 01:00', times: [60, 120, 180, 240] }

describe('the next times', () => {
  it.each<[string, string, JobRepeat, string[]]>([
    ['every 15 minutes', '2026-11-27T12:01', minutes(15), ['11-27T12:15', '11-27T12:30', '11-27T12:45']],
    [
      'over the spring change',
      '2027-03-28T00:45',
      minutes(30),
      ['03-28T01:00', '03-28T01:30', '03-28T02:00'],
    ],
    [
      'over the autumn change',
      '2027-10-31T00:00',
      minutes(60),
      ['10-31T01:00', '10-31T02:00', '10-31T03:00'],
    ],
    ['twice a day', '2026-11-27T08:00', at8and14, ['11-27T13:00', '11-28T07:00', '11-28T13:00']],
    [
      'twice a weekday, over a weekend',
      '2026-11-27T08:00',
      { ...at8and14, kind: 'weekdays' },
      ['11-27T13:00', '11-30T07:00', '11-30T13:00'],
    ],
    // 02:00 does not exist, and moves on to 03:00, which counts once.
    ['in a night of spring', '2027-03-27T23:30', nights, ['03-28T00:00', '03-28T01:00', '03-28T02:00']],
    ['in a night of autumn', '2027-10-30T22:30', nights, ['10-30T23:00', '10-31T00:00', '10-31T02:00']],
  ])('%s', (_, after, repeat, times) => {
    expect(iso(nextTimes({ repeat, zone: 'Europe/Madrid' }, at(after), 3))).toEqual(times)
  })

  it('of a long absence only the last one runs, and a day that is left out is left out whole', () => {
    const due = at('2026-11-27T12:15')
    const found = passed(
      { repeat: minutes(15), zone: 'UTC', due, missed: 'once' },
      due + 30 * 86_400_000 + 60_000,
    )
    expect(found).toMatchObject({ scheduled: due + 30 * 86_400_000, runs: true, late: false })
    expect(found?.missed).toHaveLength(20)
    expect(iso([nextKept({ repeat: minutes(15), zone: 'UTC', due, skips: '2026-11-27' }) ?? 0])).toEqual([
      '11-28T00:00',
    ])
  })
})

describe('said in words', () => {
  const extractor = createMessageExtractor()
  const read = (said: string) => {
    const {
      intent,
      topic,
      repeat,
      count,
      minutes: step,
      from,
      to,
    } = extractor.extract(said, {
      now: at('2026-11-27T11:00'),
      timezone: 'Europe/Madrid',
    }) as Record<string, unknown>
    return [
      intent,
      topic,
      repeat,
      count,
      step,
      String(from ?? '').slice(11, 16),
      String(to ?? '').slice(11, 16),
    ]
  }
  it.each<[string, unknown[]]>([
    ['check my mail every 15 minutes', ['job_set', 'my mail', 'minutes', 15, undefined, '', '']],
    ['every 30 minutes check my inbox', ['job_set', 'my inbox', 'minutes', 30, undefined, '', '']],
    // A job by its name alone, and with what is said around it.
    [
      'morning briefing every weekday at 8 please',
      ['job_set', 'morning briefing', 'weekdays', 1, undefined, '08:00', '08:00'],
    ],
    [
      'Morgenbriefing jeden Werktag um 7',
      ['job_set', 'Morgenbriefing', 'weekdays', 1, undefined, '07:00', '07:00'],
    ],
    [
      "I'd like a morning briefing, at quarter past seven, Monday to Friday only",
      ['job_set', 'morning briefing', 'weekdays', 1, undefined, '07:15', '07:15'],
    ],
    [
      'sag mir ab jetzt jeden Werktag um 7 was ansteht und was auf meiner Liste steht',
      ['job_set', 'was ansteht und was auf meiner Liste steht', 'weekdays', 1, undefined, '07:00', '07:00'],
    ],
    [
      'start the evening review please, 7pm',
      ['job_set', 'evening review', undefined, undefined, undefined, '19:00', '19:00'],
    ],
    [
      "not tomorrow though, I'm sleeping in",
      ['job_skip', undefined, undefined, undefined, undefined, '00:00', '00:00'],
    ],
    ['check github hourly', ['job_set', 'github', 'minutes', 60, undefined, '', '']],
    ['start the email check every half hour', ['job_set', 'email check', 'minutes', 30, undefined, '', '']],
    [
      'check my mail every two hours between 9 and 17',
      ['job_set', 'my mail', 'daily', 1, 120, '09:00', '17:00'],
    ],
    [
      'check my mail every hour from 9 to 5 on weekdays',
      ['job_set', 'my mail', 'weekdays', 1, 60, '09:00', '17:00'],
    ],
    [
      'check my mail every hour between 9am and 5pm',
      ['job_set', 'my mail', 'daily', 1, 60, '09:00', '17:00'],
    ],
    // Several times of a day, named one by one.
    [
      "every day at 8 and at 6pm tell me what's on my list",
      ['job_set', "what's on my list", 'daily', 1, 600, '08:00', '18:00'],
    ],
    [
      "tell me what's on every weekday at 9 and 5",
      ['job_set', "what's on", 'weekdays', 1, 480, '09:00', '17:00'],
    ],
    [
      'check my mail at 9am and 3pm on weekdays',
      ['job_set', 'my mail', 'weekdays', 1, 360, '09:00', '15:00'],
    ],
    [
      "I want to know what's on my list at 8am and 8pm every day",
      ['job_set', "what's on my list", 'daily', 1, 720, '08:00', '20:00'],
    ],
    [
      'every day at 8, 12 and 16 tell me what mail is unread',
      ['job_set', 'what mail is unread', 'daily', 1, 240, '08:00', '16:00'],
    ],
    [
      'jeden Tag um 8 und um 18 Uhr sag mir, was ansteht',
      ['job_set', 'was ansteht', 'daily', 1, 600, '08:00', '18:00'],
    ],
    [
      'ich möchte werktags um 7 und 19 Uhr wissen, was ansteht',
      ['job_set', 'was ansteht', 'weekdays', 1, 720, '07:00', '19:00'],
    ],
    ['prüfe meine Mails alle 15 Minuten', ['job_set', 'Mails', 'minutes', 15, undefined, '', '']],
    ['starte den Mail-Check stündlich', ['job_set', 'Mail-Check', 'minutes', 60, undefined, '', '']],
    ['stoppe den Mail-Check', ['job_stop', 'Mail-Check', undefined, undefined, undefined, '', '']],
    ['setze den Mail-Check fort', ['job_resume', 'Mail-Check', undefined, undefined, undefined, '', '']],
    ['stop checking my mail', ['job_stop', 'mail', undefined, undefined, undefined, '', '']],
  ])('%s', (said, fields) => {
    expect(read(said)).toEqual(fields)
  })

  it.each([['check my mail every hour between 9am and 12am'], ['check my mail every hour from 9pm to 5am']])(
    'has no times of day, as they end on another day: %s',
    (said) => {
      const [, , , , , from, to] = read(said)
      expect([from, to]).toEqual(['', ''])
    },
  )

  it.each([
    ['check my mail'],
    ['tell me every day at 6pm and at 8 what mail is unread and at 10 what is on'],
    ['remind me every 15 minutes to drink'],
    ['send it to Sarah'],
    ['start the budget review'],
    ['cancel the health check on friday'],
    ['prüfe meine Mails'],
  ])('is no job: %s', (said) => {
    expect(String(read(said)[0])).not.toMatch(/^job_(?:set|chat|stop|remove)$/)
  })

  it.each<[string, JobRepeat]>([
    ['every 15 minutes', minutes(15)],
    ['every hour', minutes(60)],
    ['every 2 hours', minutes(120)],
    ['every day at 08:00, 14:00', at8and14],
    ['every day, every 2 hours from 09:00 to 17:00', { ...at8and14, times: [540, 660, 780, 900, 1020] }],
  ])('is told as: %s', (words, repeat) => {
    expect(whenWords(repeat)).toBe(words)
  })
})

describe('another try', () => {
  const job = { state: 'on', due: 10_000_000 } as const
  it.each([
    ['the first', 1, 'remote_unavailable', 1_000_000, 1_060_000],
    ['the second', 2, 'network_failed', 1_000_000, 1_300_000],
    ['the third', 3, 'response_timeout', 1_000_000, 1_900_000],
    ['none after it', 4, 'remote_unavailable', 1_000_000, null],
    ['none at the next time', 1, 'remote_unavailable', 9_960_000, null],
    ['none for what does not pass by itself', 1, 'remote_unauthorized', 1_000_000, null],
  ] as const)('%s', (_, attempt, code, now, expected) => {
    expect(retryAt(job, { attempt, code }, now)).toBe(expected)
  })

  it('none for a job that was stopped', () => {
    expect(retryAt({ ...job, state: 'paused' }, { attempt: 1, code: 'network_failed' }, 0)).toBeNull()
  })
})
