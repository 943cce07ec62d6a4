/** The command line: usage errors, what is printed where, and exit codes. */
import { describe, expect, test } from 'vitest'
import type { GrantView } from '../../kernel/features/grants/port.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { CommandContext } from '../../sidecar/cli/command.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { bench } from './command-bench.ts'
import { approvalWith, reportWith } from './scripted-link.ts'

describe('usage', () => {
  test.each([
    ['no command', []],
    ['unknown command', ['dance']],
    ['ask without words', ['ask']],
    ['unknown option', ['ask', 'hi', '--loud']],
    ['unknown line', ['ask', 'hi', '--line', 'secret']],
    ['timeout of nothing', ['ask', 'hi', '--timeout', '']],
    ['timeout of zero', ['ask', 'hi', '--timeout', '0']],
    ['timeout in words', ['ask', 'hi', '--timeout', 'soon']],
    ['approve without which', ['approve']],
    ['approve of nothing', ['approve', ' ']],
    ['approvals of something', ['approvals', 'show']],
  ])('%s exits with code 2, prints to stderr and does nothing', async (_name, args) => {
    const { context, err: errors, out, attached } = bench()
    expect(await runProgram(context, args)).toBe(2)
    expect(errors.join('')).not.toBe('')
    expect(out).toEqual([])
    expect(attached).toEqual([])
  })
  test('help is printed to stdout', async () => {
    const { context, out } = bench()
    expect(await runProgram(context, ['--help'])).toBe(0)
    expect(out.join('')).toContain('ask')
  })
})

describe('ask', () => {
  test('prints the answer on stdout and the trail on stderr, and closes the line', async () => {
    const { context, out, err: errors, link, attached, closed } = bench()
    expect(await runProgram(context, ['ask', 'check', 'my', 'email'])).toBe(0)
    expect(link.sent.map(({ text }) => text)).toEqual(['check my email'])
    expect(attached).toEqual([{ line: 'private', start: true }])
    expect(out).toEqual(['Done.'])
    expect(errors).toEqual(['home · sensitive'])
    expect(closed()).toBe(1)
  })
  test('--line open uses the open line', async () => {
    const { context, attached } = bench()
    await runProgram(context, ['ask', '--line', 'open', 'hi'])
    expect(attached[0]?.line).toBe('open')
  })
  test('--json prints one document: the report, unchanged', async () => {
    const { context, out } = bench()
    expect(await runProgram(context, ['ask', 'hi', '--json'])).toBe(0)
    expect(out.map((text) => JSON.parse(text))).toEqual([reportWith({})])
  })
  test('prints a card with the commands that answer it', async () => {
    const report = reportWith({ state: 'awaiting_approval', approval: 'ap7' }, 'Book lunch?')
    const { context, out, err: errors } = bench({ reports: [ok(report)] })
    expect(await runProgram(context, ['ask', 'book lunch'])).toBe(0)
    expect(out).toEqual(['Book lunch?'])
    expect(errors.join('\n')).toContain('pfar approve ap7')
  })
  test('exits with code 1 and prints to stderr for a failed task', async () => {
    const {
      context,
      out,
      err: errors,
    } = bench({
      reports: [ok(reportWith({ state: 'failed' }, 'I could not.'))],
    })
    expect(await runProgram(context, ['ask', 'hi'])).toBe(1)
    expect(out).toEqual([])
    expect(errors[0]).toBe('I could not.')
  })
  test('exits with code 1 and a sentence for a refused message', async () => {
    const { context, err: errors, closed } = bench({ sends: [err('event_too_large')] })
    expect(await runProgram(context, ['ask', 'hi'])).toBe(1)
    expect(errors).toEqual(['That message is too long for this line.'])
    expect(closed()).toBe(1)
  })
  test('exits with code 1 without an answer in time, and says that the work continues', async () => {
    const { context, err: errors } = bench({ reports: [ok(reportWith({ state: 'planning' }, null))] })
    expect(await runProgram(context, ['ask', 'hi', '--timeout', '0.1'])).toBe(1)
    expect(errors[0]).toContain('The work goes on')
  })
})

const CLOUD: GrantView = {
  ...{ id: 'g2', kind: 'cloud', template: 'mail', card: '', state: 'live' },
  ...{ createdAt: 0, expiresAt: 1, perDay: 1 },
}

describe('approvals', () => {
  const approvals = [approvalWith({ id: 'apA', number: 1 }), approvalWith({ id: 'apB', number: 3 })]
  test.each([
    ['the first by number', ['approve', '1'], [['apA', 'approve']]],
    ['the second by number', ['deny', '3'], [['apB', 'deny']]],
    ['none that waits by a number that does not: its place is asked', ['approve', '5'], [['5', 'approve']]],
    ['by id', ['approve', 'apB'], [['apB', 'approve']]],
  ])('decides %s', async (_name, args, decided) => {
    const { context, link } = bench({ approvals })
    expect(await runProgram(context, args)).toBe(0)
    expect(link.decided).toEqual(decided)
  })
  test('a number whose card ended after the list was printed affects no other card', async () => {
    const { context, link } = bench({ approvals: approvals.slice(1), decision: err('approval_expired') })
    expect(await runProgram(context, ['approve', '1'])).toBe(1)
    expect(link.decided).toEqual([['1', 'approve']])
  })
  test.each([
    ['approve', 'approve', 0],
    ['deny', 'approve', 1],
    ['approve', null, 1],
  ] as const)(
    '%s of a card that is over after %s says how it ended, and decides nothing',
    async (verb, said, exit) => {
      const words = 'Done at 12:00: the event is in your calendar.'
      const {
        context,
        link,
        out,
        err: errors,
      } = bench({
        approvals: approvals.slice(1),
        standing: ok({ isOver: true, words, said }),
      })
      expect(await runProgram(context, [verb, '1'])).toBe(exit)
      expect([...out, ...errors]).toEqual([words])
      // The place recognises a repeated answer; a different one is not sent to it.
      expect(link.decided).toEqual(exit === 0 ? [['1', said]] : [])
      expect(await runProgram(context, ['approvals', 'show', '1'])).toBe(0)
      expect(out.at(-1)).toBe(words)
    },
  )
  test.each([
    [
      'a rule: what holds',
      { holds: 'It holds from now on.\n\nEvery day at 08:00' },
      ['approve', '1'],
      'It holds from now on.\n\nEvery day at 08:00',
    ],
    ['anything else that no task goes on with: that it is done', {}, ['approve', '1'], 'Done.'],
    [
      'a no: that nothing changes',
      { holds: 'It holds from now on.' },
      ['deny', '1'],
      'Refused. Everything stays as it is.',
    ],
  ])('an answer to %s is said, and no command to look with', async (_what, more, args, said) => {
    const { context, out } = bench({ approvals, decision: ok({ task: '' }), ...more })
    expect(await runProgram(context, args)).toBe(0)
    expect(out).toEqual([said])
  })
  test('a repeated answer with --json prints the document of its task', async () => {
    const words = 'Done at 12:00: the event is in your calendar.'
    const { context, out } = bench({ standing: ok({ isOver: true, words, said: 'approve' }) })
    expect(await runProgram(context, ['approve', '1', '--json'])).toBe(0)
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ task: { state: 'completed' } })
  })
  test('all can be denied, but not approved without being seen', async () => {
    const { context, link, err: errors } = bench({ approvals })
    expect(await runProgram(context, ['deny', 'all'])).toBe(0)
    expect(link.decided).toEqual([
      ['apA', 'deny'],
      ['apB', 'deny'],
    ])
    expect(await runProgram(context, ['approve', 'all'])).toBe(1)
    expect(link.decided).toHaveLength(2)
    expect(errors[0]).toContain('Say which')
  })
  test('edited words are sent unchanged, and decide nothing', async () => {
    const { context, link } = bench({ approvals })
    const args = ['approvals', 'edit', '3', 'Tea,', 'my treat', '--field', 'title']
    expect(await runProgram(context, args)).toBe(0)
    expect(link.edited).toEqual([{ approval: 'apB', text: 'Tea, my treat', argument: 'title' }])
    expect(link.decided).toEqual([])
  })
  test('"always" creates a separate card, approved in a separate message, and allows nothing', async () => {
    const {
      context,
      link,
      out,
      err: errors,
    } = bench({
      approvals: [...approvals, approvalWith({ id: 'g1', full: 'May I always?' })],
    })
    expect(
      await runProgram(context, ['approvals', 'approve', '1', '--always', '30d', '--per-day', '3']),
    ).toBe(0)
    expect(link.proposed).toMatchObject([{ approval: 'apA', days: 30, perDay: 3 }])
    expect(link.decided).toEqual([['apA', 'approve']])
    expect(out.at(-1)).toBe('May I always?')
    expect(errors.at(-1)).toContain('Nothing is allowed yet. To allow it: pfar approve g1')
  })
  test.each([
    ['a time that is none', ['approve', '1', '--always', 'ever']],
    ['no time', ['approve', '1', '--always', '0d']],
    ['a grant that is not named', ['grants', 'revoke']],
    ['no words', ['approvals', 'edit', '1']],
  ])('%s is wrong usage, and does nothing', async (_name, args) => {
    const { context, link } = bench({ approvals })
    expect(await runProgram(context, args)).toBe(2)
    expect([link.decided, link.proposed, link.edited]).toEqual([[], [], []])
  })
  test('the whole of a folded card can be shown', async () => {
    const { context, out } = bench({
      approvals: [approvalWith({ id: 'apA', full: 'May I?\n    | all of it' })],
    })
    expect(await runProgram(context, ['approvals', 'show', '1'])).toBe(0)
    expect(await runProgram(context, ['approvals', 'show', 'apA'])).toBe(0)
    expect(await runProgram(context, ['approvals', 'show', 'apZ'])).toBe(1)
    expect(out).toEqual(['May I?\n    | all of it', 'May I?\n    | all of it'])
  })
  test('models are listed with what they may read; access for a cloud model is requested by a card, and revoked', async () => {
    const model = { name: 'claude', kind: 'anthropic', model: 'm', locality: 'cloud', place: 1 } as const
    const template = {
      id: 'mail',
      description: 'Mail',
      ceiling: 'sensitive',
      provider: 'chain',
      asks: true,
    } as const
    const { context, link, out } = bench({
      models: {
        models: [{ ...model, clearance: 'internal', state: 'resting', host: 'api.example.com' }],
        templates: [template],
        trouble: { key: 'models.chain', problem: 'names a provider twice' },
      },
      approvals: [approvalWith({ id: 'g1', full: 'May models of other companies?' })],
      grants: [CLOUD, { ...CLOUD, id: 'g3', state: 'revoked' }, { ...CLOUD, id: 'g4', template: 'other' }],
    })
    expect(await runProgram(context, ['models'])).toBe(0)
    expect(await runProgram(context, ['models', 'acknowledge', 'mail'])).toBe(0)
    expect(await runProgram(context, ['models', 'revoke', 'mail'])).toBe(0)
    expect(link.proposed).toMatchObject([{ template: 'mail' }])
    expect(link.revoked).toEqual(['g2'])
    const [listed] = out
    expect(listed?.split('\n').filter((line) => line !== '')).toEqual([
      'models.chain names a provider twice. Until then rules alone answer.',
      '1. claude · anthropic m · in a cloud, api.example.com',
      '   reads up to internal · left alone for some minutes, as it failed',
      '2. rules · on this machine, without a network · last',
      'mail · up to sensitive · asks chain · private data to a cloud: yes, until 1970-01-01',
    ])
  })
  test('grants are listed, revoked, and requested by a card', async () => {
    const grant = {
      id: 'g7',
      kind: 'write',
      template: 'owner_private',
      card: 'May I always?',
      state: 'live',
    } as const
    const { context, link, out } = bench({
      grants: [{ ...grant, createdAt: 0, expiresAt: 1, perDay: 2 }],
      approvals: [approvalWith({ id: 'g1', full: 'May I tell this?' })],
    })
    expect(await runProgram(context, ['grants'])).toBe(0)
    expect(await runProgram(context, ['grants', 'revoke', 'g7'])).toBe(0)
    expect(await runProgram(context, ['grants', 'freebusy', '--ahead', '7', '--for', '30d'])).toBe(0)
    expect(out[0]).toBe('g7 · live\n   May I always?')
    expect(link.revoked).toEqual(['g7'])
    expect(link.proposed).toMatchObject([
      { template: 'scheduling', action: 'calendar.freebusy', daysAhead: 7, days: 30 },
    ])
    expect(out.at(-1)).toBe('May I tell this?')
  })
  test('a number without a card decides nothing', async () => {
    const { context, link, err: errors } = bench({ approvals, decision: err('approval_unknown') })
    expect(await runProgram(context, ['approve', '2'])).toBe(1)
    expect(link.decided).toEqual([['2', 'approve']])
    expect(errors[0]).toContain('No such approval')
  })
  test('an empty list is reported', async () => {
    const { context, err: errors } = bench({ decision: err('approval_unknown') })
    expect(await runProgram(context, ['deny', '1'])).toBe(1)
    expect(errors).toEqual([expect.stringContaining('No such approval')])
  })
  test('the list is printed, or one JSON document', async () => {
    const { context, out } = bench({ approvals })
    expect(await runProgram(context, ['approvals', 'list'])).toBe(0)
    expect(await runProgram(context, ['approvals', '--json'])).toBe(0)
    expect(out[0]).toContain('3. Lunch · ')
    expect(JSON.parse(out[1] ?? '')).toEqual(approvals)
  })
})

test.each(['pause', 'resume'])('%s sends the chat’s command, and starts nothing', async (command) => {
  const { context, link, attached } = bench()
  await runProgram(context, [command])
  expect(link.sent.map(({ text }) => text)).toEqual([`/${command}`])
  expect(attached).toEqual([{ line: 'private', start: false }])
})

describe('lock', () => {
  test.each([
    ['lock', { done: true }, 'The edge is locked.'],
    ['unlock', { done: true }, 'The edge is unlocked.'],
    [
      'lock',
      { done: false },
      'The edge cannot be reached. It will be locked as soon as it is connected again.',
    ],
  ])('%s starts nothing and reports the state: %j', async (command, lock, said) => {
    const { context, out, attached } = bench({ lock: ok(lock) })
    expect(await runProgram(context, [command])).toBe(0)
    expect(out).toEqual([said])
    expect(attached).toEqual([{ line: 'private', start: false }])
  })
  test('unlocking on the open line is refused with a sentence', async () => {
    const { context, err: errors } = bench({ lock: err('approval_place_too_low') })
    expect(await runProgram(context, ['unlock', '--line', 'open'])).toBe(1)
    expect(errors).toEqual(['This needs your private line: say it without `--line open`.'])
  })
  test('a locked edge says how to unlock it', async () => {
    const { context, err: errors } = bench({ line: 'open', sends: [err('edge_locked')] })
    expect(await runProgram(context, ['ask', 'hi', '--line', 'open'])).toBe(1)
    expect(errors).toEqual(['The edge is locked. Unlock it at home: `pfar unlock`.'])
  })
})

describe('status', () => {
  test('starts nothing and shows each place that answers', async () => {
    const { context, out, attached } = bench()
    expect(await runProgram(context, ['status', '--json'])).toBe(0)
    expect(attached.map(({ line, start }) => [line, start])).toEqual([
      ['private', false],
      ['open', false],
    ])
    expect(JSON.parse(out[0] ?? '')).toEqual({
      running: true,
      home: { place: 'home' },
      edge: { place: 'home' },
    })
  })
  test('exits with code 1 and a sentence if nothing runs', async () => {
    const { context, err: errors, out } = bench()
    const offline: CommandContext = { ...context, attach: async () => err('home_offline') }
    expect(await runProgram(offline, ['status', '--json'])).toBe(1)
    expect(JSON.parse(out[0] ?? '')).toEqual({ running: false, home: null, edge: null })
    expect(errors[0]).toContain('npm start')
  })
})
