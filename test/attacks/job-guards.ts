/**
 * The guards of jobs (R-25, R-26, T6): the plan, the chat, the reach and the model of the card that was agreed to, as rows of tested-guards.ts,
 * each with the tests that must go red. Read there.
 */
import type { Guard } from './controls.ts'

const RUNNER = 'kernel/features/jobs/runner.ts'
const BOTH_LINES = ['test/pipeline/both-lines-jobs.test.ts']
const WORDED = ['test/pipeline/jobs-worded-run.test.ts']
const PROPOSAL = 'kernel/features/jobs/requests/proposal.ts'

type Patch = readonly [file: string, find: string, replace: string]
type Row = readonly [guard: string, tests: readonly string[], ...patches: Patch[]]

const ROWS: readonly Row[] = [
  [
    'a job: what its card showed, and no other row',
    WORDED,
    ['kernel/features/jobs/frozen.ts', 'jobDigest(job) === job.digest ? ok(job)', 'job.number > 0 ? ok(job)'],
  ],
  [
    'a job: the chats of its template',
    BOTH_LINES,
    [
      RUNNER,
      'if (mayTell(powers, template, sink)) return ok(template)',
      'if (sink !== id) return ok(template)',
    ],
  ],
  [
    'a job: only what its chat is cleared for',
    BOTH_LINES,
    [
      'kernel/flow/both-lines.ts',
      'jobs.filter(({ ceiling }) => covers(cleared, ceiling))',
      'jobs.filter(Boolean)',
    ],
    [
      PROPOSAL,
      "if (withheld !== null) return err('compartment_missing'",
      "if (withheld === '') return err('compartment_missing'",
    ],
  ],
  [
    'a job: no wider than when it was agreed to',
    ['test/pipeline/jobs-widened.test.ts'],
    [RUNNER, "if (wideningsSince(powers, job).length > 0) return 'job_widened'", ''],
    [
      RUNNER,
      "if (wideningsSince(powers, job.value).length > 0) return err('job_widened', { job: job.value.number })",
      '',
    ],
  ],
  [
    'a job: the very model of its card',
    WORDED,
    ['kernel/features/jobs/writer.ts', ' && versionOf(found) === writer.version', ''],
  ],
]

export const JOB_GUARDS: readonly Guard[] = ROWS.map(([guard, tests, ...patches]) => ({
  guard,
  tests,
  patches: patches.map(([file, find, replace]) => ({ file, find, replace })),
}))
