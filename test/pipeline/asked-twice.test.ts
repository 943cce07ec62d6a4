/** Which requests of one card are the same one made again: one yes runs those once, and each other once. */
import { expect, it } from 'vitest'
import { repeatsIn } from '../../kernel/features/approvals/waiting.ts'

const OWNER = 'principal:owner'
const JOB = 'principal:cron:j1'
type Asked = readonly [principal: string, sink: string, timed?: boolean]

it.each<readonly [string, readonly Asked[], readonly string[]]>([
  [
    'again in one chat',
    [
      [OWNER, 'a'],
      [OWNER, 'a'],
      [OWNER, 'a'],
    ],
    ['r1', 'r2'],
  ],
  [
    'in two chats',
    [
      [OWNER, 'a'],
      [OWNER, 'b'],
      [OWNER, 'a'],
    ],
    ['r2'],
  ],
  [
    'by two people',
    [
      [OWNER, 'a'],
      ['principal:telegram:peer:1', 'a'],
    ],
    [],
  ],
  [
    'by two runs of a job',
    [
      [JOB, 'a'],
      [JOB, 'a'],
    ],
    [],
  ],
  [
    'for two times',
    [
      [OWNER, 'a', true],
      [OWNER, 'a', true],
    ],
    [],
  ],
])('asked %s', (_, asked, repeats) => {
  const store = {
    loadTask: (id: string) => {
      const [, sink, timed] = asked[Number(id.slice(1))] ?? []
      return { sink, ...(timed && { timed: {} }) }
    },
  }
  // Where the call goes is the same for all of them.
  const group = asked.map(([principal], at) => ({
    approval: { id: `r${at}`, task: `t${at}`, principal, sink: 'sink:calendar:primary' },
  }))
  const found = repeatsIn({ store } as never, group as never)
  expect(found.map(({ approval }) => approval.id)).toEqual(repeats)
})
