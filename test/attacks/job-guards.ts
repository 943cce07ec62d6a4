/**
 * The guards of jobs (R-25, R-26, T6): the plan, the chat, the reach and the model of the card that was agreed to, who makes and changes one, and what others'
 * words and the titles of files are to them; as rows of tested-guards.ts, each with the tests that must go red. Read there.
 */
import type { Guard } from './controls.ts'

const RUNNER = 'kernel/features/jobs/runner.ts'
const BOTH_LINES = ['test/pipeline/both-lines-jobs.test.ts']
const WORDED = ['test/pipeline/jobs-worded-run.test.ts']
const PROPOSAL = 'kernel/features/jobs/requests/proposal.ts'
const PLANNED = 'kernel/features/jobs/planned.ts'
const NOT_OWNER = "  if (principal !== OWNER_PRINCIPAL) return err('principal_not_allowed')\n"
const TITLES = ['test/attacks/job-titles.test.ts']

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
  [
    'a job: calls no operation',
    ['test/pipeline/jobs-edge.test.ts'],
    [
      'kernel/operations/call.ts',
      NOT_OWNER,
      NOT_OWNER.replace('OWNER_PRINCIPAL)', "OWNER_PRINCIPAL && !principal.startsWith('principal:cron:'))"),
    ],
  ],
  [
    'a job: makes and changes no job by its plan',
    ['test/pipeline/own-rows-planned.test.ts'],
    [PLANNED, `): Promise<Result<Named>> {\n${NOT_OWNER}`, '): Promise<Result<Named>> {\n'],
  ],
  [
    'a job: made of words that the owner said (`isSpanOf`)',
    ['test/pipeline/job-set-planned.test.ts'],
    [PLANNED, ' && isSpanOf(String(said), tells)', ' && isSpanOf(tells, tells) && said !== null'],
  ],
  [
    'a job: the plan that was agreed to, where code plans it anew (`isSamePlan`)',
    ['test/pipeline/jobs-own-words.test.ts'],
    [
      'kernel/pipeline/plan.ts',
      'return isSamePlan(frozen.plan, made.plan)',
      'return frozen.plan.steps.length > 0',
    ],
  ],
  [
    'a job: its title in a file of the owner’s is no word of the program’s (`isOfOwnFile`)',
    TITLES,
    [
      'kernel/features/jobs/status.ts',
      "isOfOwnFile(powers, job.template) ? tell('jobs.own') : titleOf(powers, job)",
      'titleOf(powers, job)',
    ],
  ],
  [
    'a job: a title is one line',
    TITLES,
    ['kernel/template/job.ts', 'words(max).check(z.regex(/^[^\\p{Cc}\\u2028\\u2029]*$/u))', 'words(max)'],
  ],
]

export const JOB_GUARDS: readonly Guard[] = ROWS.map(([guard, tests, ...patches]) => ({
  guard,
  tests,
  patches: patches.map(([file, find, replace]) => ({ file, find, replace })),
}))
