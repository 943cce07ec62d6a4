/**
 * Adds lines that the owner types at the terminal to their directive file. The first name is stored at once, like any added line;
 * replacing a name needs an approval card. Must not show what is in the file. Called by first-questions.ts and `pfar init`.
 */
import { showDirective } from '../../kernel/features/directives/operations/show.ts'
import { writeDirective } from '../../kernel/features/directives/operations/write.ts'
import { OWNER_FILE, ownerNameIn, withLine, withOwnerName } from '../../kernel/features/persona/owner-name.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Link } from './line/link.ts'

interface Line {
  readonly under: string
  readonly line: string
}

type Calls = Pick<Link, 'call'>

export async function addToOwnerFile({ call }: Calls, lines: readonly Line[]): Promise<Result<unknown>> {
  if (lines.length === 0) return ok(true)
  const shown = await call(showDirective, { name: OWNER_FILE })
  if (!shown.ok) return shown
  const { text, version: replaces } = shown.value
  const after = lines.reduce(withLine, text)
  return call(writeDirective, { name: OWNER_FILE, text: after, replaces })
}

/** Returns the id of the approval card if another name is stored already; null once the name is stored. */
export async function nameOwner({ call }: Calls, name: string): Promise<Result<string | null>> {
  const shown = await call(showDirective, { name: OWNER_FILE })
  if (!shown.ok) return shown
  const { text, version: replaces } = shown.value
  const before = ownerNameIn(text)
  if (before === name) return ok(null)
  const after = withOwnerName(text, name)
  const written = await call(writeDirective, {
    ...{ name: OWNER_FILE, text: after, replaces },
    ...(before !== null && { cleanup: true }),
  })
  return written.ok ? ok(written.value.approval) : written
}
