/**
 * Plans a new job of home: its file, and its part among those that home starts (AGENTS.md, "Add a job of home"). Must not
 * write. Called by ../new.ts.
 */
import { capital, filled, type Plan, Refused, type Tree, withEntry, withImport } from './plan.ts'

const FOLDER = 'sidecar/jobs'
const LIST = `${FOLDER}/home-jobs.ts`
const PARTS = '  const usual = ['

export function planJob(tree: Tree, name: string): Plan {
  if (!/^[a-z]{2,20}$/.test(name))
    throw new Refused(`"${name}" cannot be the name of a job: 2 to 20 small letters, such as tidying`)
  const file = `${FOLDER}/${name}.ts`
  if (tree.has(file)) throw new Refused(`${file} is there already`)
  const list = tree.read(LIST)
  const [Name, constant] = [capital(name), `${name}Job`]
  if (new RegExp(`\\b(?:${constant}|start${Name})\\b`).test(list))
    throw new Refused(`${LIST} has a start${Name} already: the job needs another name`)
  const powers = `{ now: powers.now, fault: () => onFault('${name}') }`
  const part = `  const ${constant} = jobPart('${name}', () => start${Name}(${powers}))`
  const imported = withImport(list, `import { start${Name} } from './${name}.ts'`)
  return {
    files: [
      [file, filled(tree.template('job/job.ts'), { Name })],
      [
        LIST,
        withEntry(
          imported.replace(PARTS, () => `${part}\n${PARTS}`),
          {
            opening: PARTS,
            closing: ']',
            entry: `    ${constant}`,
          },
        ),
      ],
    ],
    next: [
      'npx vitest run --project node test/home/jobs-contract.test.ts   # red: it lists what is left to write',
      'npm run check                                                   # when it is green',
    ],
  }
}
