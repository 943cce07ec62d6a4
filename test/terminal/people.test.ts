/** `pfar people`: what is typed, which operation is called, and what is shown (B-04). */
import { describe, expect, it, test } from 'vitest'
import { listPeople } from '../../kernel/features/people/operations/list.ts'
import { revokePerson } from '../../kernel/features/people/operations/revoke.ts'
import type { PersonView } from '../../kernel/features/people/port.ts'
import { createOpenLink } from '../../sidecar/cli/line/open-link.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { bench } from './command-bench.ts'

const DAY = 86_400_000
const SARAH: PersonView = {
  ...{ id: 'a1', state: 'live', name: 'Sarah', handle: 'sa\u001b[2Jrah', templates: ['paired_scheduling'] },
  ...{ principal: 'principal:telegram:peer:7', sink: 'sink:telegram:7' },
  ...{ createdAt: 0, openUntil: DAY, expiresAt: 90 * DAY },
}
const KIM: PersonView = { ...SARAH, id: 'a2', state: 'open', name: 'Kim', principal: null, sink: null }

test('invite shows the code once, and requires an approval in a separate message', async () => {
  const { context, link, out } = bench({ approvals: [] })
  await runProgram(context, ['people', 'invite', '--name', 'Sarah', '--expires', '48h', '--for', '30d'])
  expect(link.invited).toEqual([{ name: 'Sarah', templates: ['paired_scheduling'], hours: 48, days: 30 }])
  expect(link.decided).toEqual([])
  expect(out[0]?.split('\n').slice(0, 3)).toEqual([
    'Give this line to that person. Once you have said yes to the card, whoever sends it to your assistant counts as that person:',
    '   pair AAAA-BBBB-CCCC',
    'The code is shown only now and works once, for one person, for 48 hours; several people need one each. To give up: pfar people revoke a1',
  ])
})

describe('agreements', () => {
  it.each([
    [
      [],
      [
        'You are paired with nobody. Whoever else writes is a stranger. To invite somebody: pfar people invite',
      ],
    ],
    [
      [SARAH, KIM],
      ['a1 · Sarah · telegram:peer:7 · paired', 'a2 · Kim · invited, and has not come yet'],
    ],
  ])('are listed', async (people, lines) => {
    const { context, out } = bench({ people })
    expect(await runProgram(context, ['people'])).toBe(0)
    expect(out[0]?.split('\n')).toEqual(lines)
  })

  it.each([
    [
      'a1',
      [
        'a1 · Sarah · telegram:peer:7 · paired',
        '   account: telegram:peer:7, “sarah” by their own words',
        '   in: telegram:7',
        '   may start: paired_scheduling',
        '   until 1970-04-01',
      ],
    ],
    [
      'a2',
      [
        'a2 · Kim · invited, and has not come yet',
        '   may start: paired_scheduling',
        '   code good until 1970-01-02 00:00 UTC',
        '   until 1970-04-01',
      ],
    ],
  ])('are shown one at a time', async (id, lines) => {
    const { context, out } = bench({ people: [SARAH, KIM] })
    expect(await runProgram(context, ['people', 'show', id])).toBe(0)
    expect(out[0]?.split('\n')).toEqual(lines)
  })

  it('that do not exist are reported', async () => {
    const { context, err } = bench({ people: [] })
    expect(await runProgram(context, ['people', 'show', 'a9'])).not.toBe(0)
    expect(err.join('\n')).toContain('`pfar people` lists them')
  })

  it.each([
    [
      'a1',
      'Taken back. From the next message on that person is a stranger; what was said cannot be recalled.',
    ],
    ['never', 'Taken back. The code is no longer valid.'],
  ])('%s can be revoked', async (id, said) => {
    const { context, link, out } = bench({ people: [SARAH] })
    expect(await runProgram(context, ['people', 'revoke', id])).toBe(0)
    expect([link.revoked, out]).toEqual([[id], [said]])
  })
})

test('people are refused on the open line', async () => {
  const link = createOpenLink({
    edge: 'http://127.0.0.1:1',
    key: () => Promise.reject(new Error('unused')),
  } as never)
  for (const call of [link.call(listPeople, {}), link.call(revokePerson, { id: 'a1' })])
    expect(await call).toMatchObject({ reason: { code: 'approval_place_too_low' } })
})
