/** The guards of what everyone reads, each with the test file that must go red without it. Read by tested-guards.ts. */
import type { Guard } from './controls.ts'

const tests = ['test/pipeline/post.test.ts']

export const POST_GUARDS: readonly Guard[] = [
  {
    guard: 'what everyone reads holds what the owner typed alone (`hasOtherReaders`)',
    tests,
    patches: [
      {
        file: 'kernel/call/call-verdict.ts',
        find: "return target !== undefined || reaches === 'public'",
        replace: 'return target !== undefined',
      },
    ],
  },
  {
    guard: 'a post that is too long is not asked about (`checkPosted`)',
    tests,
    patches: [
      {
        file: 'kernel/pipeline/authorize.ts',
        find: 'if (!posted.ok) return denied(powers, task, index, posted.reason)',
        replace: '',
      },
    ],
  },
  {
    guard: 'a card says what becomes a link or a mention (`postRemarks`)',
    tests,
    patches: [
      { file: 'kernel/features/approvals/card/card.ts', find: '...postRemarks(action, bytes),', replace: '' },
    ],
  },
]
