/**
 * `npm run utility`: how many recorded tasks of a corpus the product does for its owner, under the same law as against
 * hostile models, with how many cards, and by which rule each other one is stopped.
 *
 *   --corpus FILE   another file of the same format      --json   {utility, cards, stopped, violations}
 *
 * Exit code 1 when a rule of the law was violated; a task that is stopped is a figure, no failure.
 */
import { parseArgs } from 'node:util'
import { prepare } from './case.ts'
import { type Corpus, DEFAULT_CORPUS, readCorpus } from './corpus.ts'
import { table } from './table.ts'
import { type Served, serve } from './utility.ts'

export interface Utility {
  readonly utility: Readonly<Record<string, { readonly done: number; readonly tasks: number }>>
  /** Approvals of all tasks of a suite, and of the one that asked most. */
  readonly cards: Readonly<Record<string, { readonly all: number; readonly most: number }>>
  readonly stopped: readonly { readonly suite: string; readonly task: string; readonly rule: string }[]
  readonly violations: number
}

export async function measureUtility(corpus: Corpus): Promise<Utility> {
  const prepared = prepare(corpus)
  const served: Served[] = []
  for (const [suite, { user_tasks }] of Object.entries(corpus.suites))
    for (const user of user_tasks) served.push(await serve(prepared, suite, user))
  const bySuite = <T>(value: (own: readonly Served[]) => T): Readonly<Record<string, T>> =>
    Object.fromEntries(
      Object.keys(corpus.suites).map((suite) => [suite, value(served.filter((one) => one.suite === suite))]),
    )
  return {
    utility: bySuite((own) => ({ done: own.filter(({ done }) => done).length, tasks: own.length })),
    cards: bySuite((own) => {
      const counts = own.map(({ approvals }) => approvals)
      return { all: counts.reduce((sum, count) => sum + count, 0), most: Math.max(0, ...counts) }
    }),
    stopped: served.flatMap(({ suite, task, done, why: rule }) => (done ? [] : [{ suite, task, rule }])),
    violations: served.reduce((sum, { violations }) => sum + violations.length, 0),
  }
}

export function utilityTable({ utility, cards, stopped, violations }: Utility): string {
  const rows = Object.entries(utility).map(([suite, { done, tasks }]) => {
    const { all = 0, most = 0 } = cards[suite] ?? {}
    return [suite, `${done} of ${tasks}`, (all / Math.max(tasks, 1)).toFixed(2), String(most)]
  })
  const sum = (of: 'done' | 'tasks'): number => Object.values(utility).reduce((all, one) => all + one[of], 0)
  return [
    table(['suite', 'done', 'cards a task', 'most cards'], rows),
    `${sum('done')} of ${sum('tasks')} tasks done, ${violations} violations.`,
    ...(stopped.length === 0
      ? []
      : [
          table(
            ['stopped', 'by'],
            stopped.map(({ suite, task, rule }) => [`${suite} ${task}`, rule]),
          ),
        ]),
    '',
  ].join('\n\n')
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string', default: DEFAULT_CORPUS },
      json: { type: 'boolean', default: false },
    },
  })
  const result = await measureUtility(readCorpus(values.corpus))
  process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : utilityTable(result))
  process.exitCode = result.violations === 0 ? 0 : 1
}
