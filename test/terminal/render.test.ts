/** How reports, approvals and status are shown to the owner. */
import { describe, expect, test } from 'vitest'
import {
  renderApprovals,
  renderHowToApprove,
  renderProgress,
  renderReply,
  renderStatus,
  renderTrail,
} from '../../sidecar/cli/chat/render.ts'
import { approvalWith, reportWith } from './scripted-link.ts'

const step = (tool: string) => ({
  tool,
  place: 'home' as const,
  label: 'sensitive',
  approved: false,
  outcome: 'done',
})

describe('an answer', () => {
  test.each([
    ['its words, without trailing space', 'Two mails.\n\n', 'Two mails.'],
    ['its words, made safe', '\u001b[2Jx', 'x'],
    ['never nothing: null', null, '(no words: the task is completed)'],
    ['never nothing: only control characters', '\u001b[0m', '(no words: the task is completed)'],
  ])('shows %s', (_name, reply, expected) => {
    expect(renderReply(reportWith({}, reply))).toBe(expected)
  })

  test.each([
    [
      'place, label and each tool once',
      [step('mail.search'), step('mail.read'), step('mail.read')],
      'home · sensitive · mail.search, mail.read',
    ],
    ['no empty part without steps', [], 'home · sensitive'],
  ])('trail: %s', (_name, steps, expected) => {
    expect(renderTrail(reportWith({ steps, model: null }))).toBe(expected)
  })

  test.each([
    ['tiny-home', [], 'home · sensitive · tiny-home'],
    ['rules', [], 'home · sensitive'],
    ['kernel', [], 'home · sensitive'],
    ['tiny-home', [step('mail.read')], 'home · sensitive · mail.read'],
  ])('trail: by %s', (model, steps, expected) => {
    expect(renderTrail(reportWith({ steps, model }))).toBe(expected)
  })
})

const MAIL =
  'May I do this? Send this mail.\n  to:\n    - a@b.example\n  body:\n    | Hi\n    | there\nIt goes out.\nI ask.'

describe('approvals', () => {
  test('are shown with the numbers of their place, two lines of each and the time left', () => {
    const views = [approvalWith({}), approvalWith({ id: 'ap2', number: 7, full: MAIL, expiresAt: 61_000 })]
    expect(renderApprovals(views, 0)).toBe(
      [
        '1. Lunch · 5 min left',
        '7. Send this mail. · 2 min left',
        '   to: a@b.example · body: Hi there',
      ].join('\n'),
    )
  })
  test('alone is whole', () => {
    const text = renderApprovals([approvalWith({ card: MAIL, full: MAIL })], 0)
    expect(text.split('\n')).toEqual([
      '1. May I do this? Send this mail. · 5 min left',
      ...MAIL.split('\n')
        .slice(1)
        .map((line) => `   ${line}`),
    ])
  })
  test('that do not exist are reported in words', () =>
    expect(renderApprovals([], 0)).toBe('No approval is waiting.'))
  test('cannot imitate a second card', () => {
    expect(renderApprovals([approvalWith({ card: 'a\r\u001b[1A2. fake' })], 0)).toBe(
      '1. a · 5 min left\n   2. fake',
    )
  })
  test('are followed by both commands that answer them', () => {
    expect(renderHowToApprove({ approval: 'ap1', options: 0 }, 'home')).toContain('pfar approve ap1')
    expect(renderHowToApprove({ approval: 'ap1', options: 0 }, 'home')).toContain('pfar deny ap1')
    expect(renderHowToApprove({ approval: 'ap1', options: 0 }, 'edge')).toContain(
      'pfar approve --line open ap1',
    )
  })
  test('with options are followed by their names', () => {
    const words = renderHowToApprove({ approval: 'ap1', options: 3 }, 'home')
    expect(words).toContain('pfar approve ap1.1, up to ap1.3')
    expect(words).toContain('pfar deny ap1')
  })
})

test('the status has one fact per line', () => {
  const status = {
    place: 'home',
    tunnelTrouble: null,
    rttMs: 3,
    tools: ['mail.search', 'web.read'],
    odd: '\u001b[2J',
  }
  expect(renderStatus(status).split('\n')).toEqual([
    'place:          home',
    'tunnel trouble: none',
    'rtt ms:         3',
    'tools:          mail.search, web.read',
    'odd:            ',
  ])
})

test('each delivery that waits for a chat has its own line in the status', () => {
  const row = {
    chat: 'Telegram',
    asked: '2026-11-24T09:00:12.000Z',
    since: '2026-11-24T09:00:13.000Z',
    next: '2026-11-24T09:15:13.000Z',
  }
  expect(
    renderStatus({ place: 'home', waiting: [row, { ...row, chat: 'Slack\u001b[2J' }] }).split('\n'),
  ).toEqual([
    'place:          home',
    'waiting:        for Telegram, asked for at 2026-11-24 09:00 UTC, waits since 2026-11-24 09:00 UTC, next try 2026-11-24 09:15 UTC',
    'waiting:        for Slack, asked for at 2026-11-24 09:00 UTC, waits since 2026-11-24 09:00 UTC, next try 2026-11-24 09:15 UTC',
  ])
  expect(renderStatus({ place: 'home', waiting: [] })).toContain('waiting:        none')
})

test.each([
  [0, '⠋ working… 0 s'],
  [2_345, '⠸ working… 2 s'],
])('progress at %i ms', (elapsed, expected) => expect(renderProgress(elapsed)).toBe(expected))
