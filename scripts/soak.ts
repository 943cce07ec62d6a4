/**
 * `npm run soak [-- --only chaos,attacks]`: the long suites in full (STYLE 19), of which `npm test` runs a sample. About three
 * hours on two cores. The final table belongs in the release notes. Exit code 1 if a part failed.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LONG } from './test/turns.ts'

const ROOT = join(import.meta.dirname, '..')
const VITEST = 'node_modules/vitest/vitest.mjs'

/** Name of each part, and Node's arguments. The comment names its sample in `npm test`. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  // test/e2e/chaos-storm.test.ts
  chaos: [
    VITEST,
    'run',
    '--project',
    'e2e',
    ...['chaos.', 'chaos-hello', 'chaos-storm'].map((name) => `test/e2e/${name}`),
  ],
  // test/e2e/chaos-jobs.test.ts
  jobs: [VITEST, 'run', '--project', 'e2e', 'test/e2e/chaos-jobs'],
  // The same files, a share per commit (scripts/test/turns.ts), some of them with one row of each kind.
  processes: [VITEST, 'run', ...LONG.filter((path) => !path.includes('/chaos'))],
  // test/fuzz/fuzz.test.ts
  fuzz: ['test/fuzz/main.ts', '--seconds', '600'],
  // test/attacks/attacks.test.ts, each of these
  attacks: ['test/attacks/main.ts'],
  // test/attacks/tools.test.ts
  tools: ['test/attacks/main.ts', '--tools'],
  // test/attacks/embedded.test.ts
  embedded: ['test/attacks/main.ts', '--embedded'],
  // test/language/plans.test.ts, a share of its messages
  plans: [VITEST, 'run', '--project', 'node', 'test/language/plans.test.ts'],
  // test/attacks/no-prompts.test.ts, two of its suites
  prompts: [VITEST, 'run', '--project', 'mocks', 'test/attacks/no-prompts.test.ts'],
  // test/jobs/month.test.ts, some days of them
  months: ['test/months/main.ts'],
  controls: ['test/attacks/main.ts', '--controls'],
  link: ['test/attacks/main.ts', '--link'],
  // No sample: needs packages and files from outside this tree (docs/design/development.md).
  ...(process.env['PFAR_PDS'] === undefined ? {} : { pds: ['test/pds/main.ts'] }),
  ...(process.env['PFAR_CORPORA'] === undefined ? {} : { corpora: ['test/corpora/main.ts'] }),
  // No sample in `npm test`; `npm run mutate -- --part 1/25` runs one.
  mutants: ['test/mutation/main.ts'],
}

/** Maximum number of a part's last lines that the table repeats. */
const LINES = 22

interface Outcome {
  readonly part: string
  readonly ok: boolean
  readonly seconds: number
  readonly last: readonly string[]
}

function run(part: string, args: readonly string[]): Promise<Outcome> {
  const began = Date.now()
  return new Promise((done) => {
    let printed = ''
    const child = spawn(process.execPath, [...args], {
      cwd: ROOT,
      env: { ...process.env, PFAR_SOAK: '1', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk)
      printed += chunk.toString()
    })
    const ended = (code: number | null): void =>
      done({
        part,
        ok: code === 0,
        seconds: Math.round((Date.now() - began) / 1_000),
        last: printed.trimEnd().split('\n').slice(-LINES),
      })
    child.on('error', () => ended(null))
    child.on('close', ended)
  })
}

const { values } = parseArgs({ options: { only: { type: 'string', default: Object.keys(PARTS).join(',') } } })
const chosen = values.only.split(',')
const unknown = chosen.filter((part) => PARTS[part] === undefined)
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are ${Object.keys(PARTS).join(', ')}.`)
  process.exitCode = 2
} else {
  const outcomes: Outcome[] = []
  for (const part of chosen) {
    console.log(`\n── ${part}`)
    outcomes.push(await run(part, PARTS[part] ?? []))
  }
  for (const { part, ok, seconds, last } of outcomes)
    console.log(
      `\n${ok ? 'ok  ' : 'FAIL'} ${part}, ${seconds} s\n${last.map((line) => `     ${line}`).join('\n')}`,
    )
  process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1
}
