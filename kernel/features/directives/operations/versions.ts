/** Current version of a file, and the call that restores the one before (O-12). Called by the operations that write one. */
import type { Caller, Undo } from '../../../operations/caller.ts'
import type { Facts } from '../../../operations/operation.ts'
import type { DirectivesPort } from '../port.ts'

interface Named {
  readonly name: string
}

/** 0 when there is none yet. */
export async function versionNow(
  { directives }: { readonly directives: DirectivesPort },
  { name }: Named,
  caller: Caller,
): Promise<Facts> {
  const file = (await directives.list(caller)).find((one) => one.name === name)
  return { version: file?.version ?? 0 }
}

/** Null when nothing is written yet, and for the first version of a file. */
export function toVersionBefore({
  result,
  args: { name },
  before,
}: {
  readonly result: { readonly version: number | null }
  readonly args: Named
  readonly before: Facts
}): Undo | null {
  const version = before['version']
  if (result.version === null || typeof version !== 'number' || version === 0) return null
  return { operation: 'brain.restore', args: { name, version } }
}
