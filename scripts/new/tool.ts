/**
 * Plans a new tool: its folder of five files, and its line in the list of tools (AGENTS.md, "Add a tool"). Must not write.
 * Called by ../new.ts.
 */
import { capital, filled, type Plan, Refused, type Tree, withEntry } from './plan.ts'

const FOLDER = 'integrations/tools'
const LIST = `${FOLDER}/index.ts`
const PARTS = ['manifest.ts', 'run.ts', 'shape.ts', 'phrases.ts', 'words/en.toml', 'words/de.toml']

export function planTool(tree: Tree, name: string): Plan {
  // The form in which names of actions and capabilities begin.
  if (!/^[a-z]{2,20}$/.test(name))
    throw new Refused(`"${name}" cannot be the name of a tool: 2 to 20 small letters, such as tides`)
  if (tree.has(`${FOLDER}/${name}`) || tree.has(`${FOLDER}/${name}.ts`))
    throw new Refused(`${FOLDER}/${name} is there already`)
  const values = { name, NAME: name.toUpperCase(), Name: capital(name) }
  return {
    files: [
      ...PARTS.map(
        (part) => [`${FOLDER}/${name}/${part}`, filled(tree.template(`tool/${part}`), values)] as const,
      ),
      [
        LIST,
        withEntry(tree.read(LIST), { opening: 'TOOLS = [', closing: '] as const', entry: `  '${name}'` }),
      ],
    ],
    next: [
      'npm run tables',
      'npx vitest run --project node test/tools/packages.test.ts   # red: it lists what is left to write',
      'npm run frozen && npm run check                             # when it is green',
    ],
  }
}
