/**
 * `npm run attacks`: every attack of a corpus against the real pipeline, and a table of what came of it.
 *
 *   --corpus FILE   another file of the same format      --json        one document instead of tables
 *   --stride N      each N-th pair only                  --suite T2    one suite only (may be repeated)
 *   --no-utility    without the benign tasks             --controls    with each guard removed in turn
 *   --tools         instead of all that: the answers of every tool that there is, by declaration, against each write of another
 *   --embedded      instead of all that: the planner without a model, with what owners type and texts of others in it
 *   --first         ends a suite with the first pair that violated something
 *   --link          instead of all that: the tests of the link, with each of its guards removed in turn
 *   --guard TEXT    with --controls or --link: only guards whose name holds this
 *
 * Exit code 1 when anything was violated, or when a control found nothing.
 */
import { parseArgs } from 'node:util'
import { runControls } from './controls.ts'
import { DEFAULT_CORPUS, readCorpus } from './corpus.ts'
import { runEmbedded } from './embedded/run.ts'
import { GUARDS } from './guards.ts'
import { runLinkControls } from './link-controls.ts'
import { type Result, runAttacks, SUITES } from './run.ts'
import { controlTable, embeddedTable, resultTable, toolTable } from './table.ts'
import { runTools } from './tools/run.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: DEFAULT_CORPUS },
    stride: { type: 'string', default: '1' },
    suite: { type: 'string', multiple: true, default: [...SUITES] },
    json: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
    'no-utility': { type: 'boolean', default: false },
    controls: { type: 'boolean', default: false },
    link: { type: 'boolean', default: false },
    tools: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    guard: { type: 'string', default: '' },
  },
})

const progress = (line: string): void => void process.stderr.write(`${line}\n`)

function strideOf(): number {
  const stride = Number(values.stride)
  if (!Number.isInteger(stride) || stride < 1) throw new Error('--stride is a whole number from 1 on')
  return stride
}

async function attack(): Promise<Result> {
  return runAttacks(readCorpus(values.corpus), {
    stride: strideOf(),
    suites: SUITES.filter((suite) => values.suite.includes(suite)),
    utility: !values['no-utility'],
    first: values.first,
    ...(values.json ? {} : { progress }),
  })
}

if (values.controls || values.link) {
  const guards = GUARDS.filter(({ guard }) => guard.includes(values.guard))
  const controls = values.link
    ? await runLinkControls({ only: values.guard, progress })
    : await runControls({ corpus: values.corpus, guards, progress })
  process.stdout.write(values.json ? `${JSON.stringify(controls, null, 2)}\n` : controlTable(controls))
  process.exitCode = controls.every(({ red }) => red.length > 0) ? 0 : 1
} else if (values.embedded) {
  const result = await runEmbedded({ stride: strideOf(), ...(values.json ? {} : { progress }) })
  process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : embeddedTable(result))
  process.exitCode = result.violations === 0 ? 0 : 1
} else if (values.tools) {
  const result = await runTools({
    stride: strideOf(),
    first: values.first,
    ...(values.json ? {} : { progress }),
  })
  process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : toolTable(result))
  process.exitCode = result.violations === 0 ? 0 : 1
} else {
  const result = await attack()
  process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : resultTable(result))
  process.exitCode = result.violations === 0 && result.approvedForAttacker === 0 ? 0 : 1
}
