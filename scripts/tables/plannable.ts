/**
 * Generates the table of operations that a model's plan may ask for (`plannable`): name, effect and arguments, as data, because
 * the operations' definitions import what that table is part of. Runs in a process of its own, which imports the words just
 * written. Called by scripts/tables.ts, and by itself as that process.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const PATH = 'kernel/features/admin/plannable.json'

export function plannableTable(): readonly (readonly [path: string, source: string])[] {
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'plannable.ts')], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`${PATH} could not be made: ${run.stderr}`)
  return [[PATH, run.stdout]]
}

async function rows(): Promise<readonly object[]> {
  const { OPERATIONS } = await import('../../kernel/operations/index.ts')
  return OPERATIONS.filter(({ plannable }) => plannable).map(({ name, effect, args }) => ({
    ...{ name, effect },
    args: Object.entries(args).map(([key, { typed, initial }]) => ({
      ...{ name: key, typed, optional: initial !== undefined },
    })),
  }))
}

if (import.meta.main) process.stdout.write(JSON.stringify(await rows()))
