/** `pfar channel acknowledge`: creates the card and allows nothing; `--revoke` ends it; both work at home only (F-17). */
import { expect, test } from 'vitest'
import { acknowledgeBot } from '../../kernel/features/places/operations/acknowledge.ts'
import { withdrawBot } from '../../kernel/features/places/operations/withdraw.ts'
import { createOpenLink } from '../../sidecar/cli/line/open-link.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { bench } from './command-bench.ts'

const VIEW = {
  ...{ id: 'g1', kind: 'admin_change', card: 'May I?', full: 'May I?\nTelegram reads it.', place: 'home' },
  ...{
    task: '',
    tool: 'admin.grant',
    number: 1,
    count: 1,
    reason: 'write_approval_required',
    createdAt: 1,
    expiresAt: 2,
    options: 0,
  },
} as const

test('acknowledge shows the whole card, and how to approve it in another message', async () => {
  const { context, link, out, err } = bench({ approvals: [VIEW as never] })
  expect(await runProgram(context, ['channel', 'acknowledge'])).toBe(0)
  expect(link.proposed).toEqual([{ message: 'm1' }])
  expect([out.join('\n'), link.decided]).toEqual([VIEW.full, []])
  expect(err.join('\n')).toMatch(/Nothing is allowed yet\. To allow it: pfar approve g1/)
})

test('acknowledge without a bot creates no card and says how to connect one', async () => {
  const { context, err } = bench({ noBot: true })
  expect(await runProgram(context, ['channel', 'acknowledge'])).toBe(1)
  expect(err.join()).toMatch(/^Your edge has no bot yet.*`pfar channel connect`/)
})

test.each([
  ['by its own command', ['channel', 'withdraw']],
  ['by the older one', ['telegram', 'acknowledge', '--revoke']],
])('revoked %s, it says what remains', async (_, args) => {
  const { context, link, out } = bench()
  expect(await runProgram(context, args)).toBe(0)
  expect([link.revoked, out.join()]).toEqual([['transport'], expect.stringMatching(/stays in the chat/)])
})

test('acknowledge and revoke are refused on the open line', async () => {
  const link = createOpenLink({ edge: 'https://edge.example.com' } as never)
  for (const answer of [await link.call(acknowledgeBot, {}), await link.call(withdrawBot, {})])
    expect(answer).toMatchObject({ ok: false, reason: { code: 'approval_place_too_low' } })
})
