/**
 * Plans a new channel: its folder, its lines in the lists of channels and of home, and its row in the contract test
 * (AGENTS.md, "Add a channel"). Must not write. Called by ../new.ts.
 */
import { filled, type Plan, Refused, type Tree, withEntry, withImport } from './plan.ts'

const FOLDER = 'integrations/channels'
const LIST = `${FOLDER}/index.ts`
const HOME = `${FOLDER}/home.ts`
const CONTRACT = 'test/channels/contract.test.ts'
const PARTS = ['channel.ts', 'home.ts']

export function planChannel(tree: Tree, name: string): Plan {
  // The form of names in sources, sinks and `config.toml`.
  if (!/^[a-z][a-z0-9]{1,19}$/.test(name))
    throw new Refused(
      `"${name}" cannot be the name of a channel: 2 to 20 small letters and digits, such as matrix`,
    )
  if (tree.has(`${FOLDER}/${name}`) || tree.has(`${FOLDER}/${name}.ts`))
    throw new Refused(`${FOLDER}/${name} is there already`)
  const NAME = name.toUpperCase()
  const list = withImport(tree.read(LIST), `import { ${NAME}_CHANNEL } from './${name}/channel.ts'`)
  const home = withImport(tree.read(HOME), `import { ${NAME}_HOME } from './${name}/home.ts'`)
  const row = `  ${name}: ['${name}:owner', null]`
  return {
    files: [
      ...PARTS.map(
        (part) =>
          [`${FOLDER}/${name}/${part}`, filled(tree.template(`channel/${part}`), { name, NAME })] as const,
      ),
      [LIST, withEntry(list, { opening: 'const CHANNELS:', closing: '])', entry: `  ${NAME}_CHANNEL` })],
      [HOME, withEntry(home, { opening: 'const HOME_PACKAGES:', closing: '])', entry: `  ${NAME}_HOME` })],
      [CONTRACT, withEntry(tree.read(CONTRACT), { opening: 'const TABLES:', closing: '\n}', entry: row })],
    ],
    next: [
      'npx vitest run --project node test/channels/contract.test.ts   # red: it lists what is left to write',
      'npm run frozen && npm run check                                # when it is green',
    ],
  }
}
