/** `pfar identities`: what is typed, which operation is called, and what is shown (F-15, F-16, E-21). */
import { describe, expect, it, test } from 'vitest'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { principalTyped } from '../../kernel/task/principal.ts'
import { createOpenLink } from '../../sidecar/cli/line/open-link.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { bench } from './command-bench.ts'

describe('a typed principal', () => {
  it.each([
    ['owner', 'principal:owner'],
    ['telegram:12345', 'principal:telegram:peer:12345'],
    ['telegram:peer:12345', 'principal:telegram:peer:12345'],
    ['principal:telegram:peer:12345', 'principal:telegram:peer:12345'],
    ['slack:W1:C1:U1', 'principal:slack:W1:C1:U1'],
    ['whatsapp:+4912345678', 'principal:whatsapp:+4912345678'],
    ['cron:digest', 'principal:cron:digest'],
    ['telegram:b ob', 'principal:telegram:peer:b%0020ob'],
  ])('%s stands for %s', (typed, principal) => {
    expect(principalTyped(typed)).toBe(principal)
  })
})

test('link requests codes, shows each with its end, and links nothing', async () => {
  const { context, link, out } = bench()
  expect(await runProgram(context, ['identities', 'link', 'owner', 'telegram:12345'])).toBe(0)
  expect(link.joined).toEqual([['principal:owner', 'principal:telegram:peer:12345']])
  expect(link.decided).toEqual([])
  expect(out).toEqual([
    [
      'Nothing is linked yet. Each of the two must send its own line, as a message of its own, from its own chat:',
      '   owner:   link AAAA-AAAA-AAA0',
      '   telegram:peer:12345:   link AAAA-AAAA-AAA1',
      'They are good for 15 minutes. Then I ask you: pfar approvals   To give up: pfar identities unlink l1',
    ].join('\n'),
  ])
})

test('links are listed with the class of both ends; an empty list is reported', async () => {
  const ends = [
    { principal: 'principal:owner', class: 'owner', proved: true },
    { principal: 'principal:telegram:peer:1', class: 'third_party', proved: false },
  ] as const
  const { context, out } = bench({
    identities: (['asked', 'live'] as const).map((state) => ({
      id: `l-${state}`,
      state,
      ends,
      createdAt: 0,
    })),
  })
  expect(await runProgram(context, ['identities'])).toBe(0)
  expect(out[0]?.split('\n')).toEqual([
    'l-asked · waits for their codes',
    '   owner · counts as owner · has said its code',
    '   telegram:peer:1 · counts as third party · has not said its code',
    '',
    'l-live · linked',
    '   owner · counts as owner',
    '   telegram:peer:1 · counts as third party',
  ])
  const none = bench()
  await runProgram(none.context, ['identities', 'list'])
  expect(none.out).toEqual(['No two accounts are linked. Each person’s account stands for itself.'])
})

test('unlinking states what it cannot undo', async () => {
  const { context, link, out } = bench()
  expect(await runProgram(context, ['identities', 'unlink', 'l7'])).toBe(0)
  expect(link.changed).toEqual(['l7'])
  expect(out.join(' ')).toContain('What was shown to either until now cannot be recalled.')
  await runProgram(context, ['identities', 'unlink', 'never'])
  expect(out.at(-1)).toBe('Given up. Nothing was linked.')
})

test.each([[['link']], [['link', 'owner']], [['unlink']], [['marry']]])(
  '%j is wrong usage, and does nothing',
  async (args) => {
    const { context, link } = bench()
    expect(await runProgram(context, ['identities', ...args])).toBe(2)
    expect([link.joined, link.changed]).toEqual([[], []])
  },
)

test('the open line refuses identities before anything is sent', async () => {
  const line = createOpenLink({
    edge: 'http://127.0.0.1:1',
    key: () => Promise.reject(new Error('unused')),
  } as never)
  const asked = OPERATIONS.filter(({ name }) => name.startsWith('identities.')).map((one) =>
    line.call(one, {}),
  )
  expect(asked).toHaveLength(3)
  for (const answer of await Promise.all(asked))
    expect(answer).toMatchObject({ ok: false, reason: { code: 'approval_place_too_low' } })
})
