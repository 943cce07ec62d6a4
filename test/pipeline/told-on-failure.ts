/** A test that fails prints what its world wrote into the audit: names, codes and ids, as they are there. Nothing outside of vitest. Called by world.ts. */
import type { AuditEvent } from '../../kernel/powers/stores.ts'

/** Worlds are made outside of a test runner, too, by the attacks and by the fuzzer; what they start may have its environment. */
const vitest = process.env['VITEST'] === undefined ? null : await import('vitest').catch(() => null)

export function tellOnFailure(audited: readonly AuditEvent[]): void {
  // Of a world that no test made nobody can say which test it is of.
  if (vitest?.TestRunner.getCurrentTest() === undefined) return
  vitest.onTestFailed(() => {
    process.stderr.write(`audit of this world:\n${audited.map((row) => `  ${lineOf(row)}\n`).join('')}`)
  })
}

/** `home t1 tool_invoked tool=email.list ok=true`. */
function lineOf({ place, task, kind, facts }: AuditEvent): string {
  const said = Object.entries(facts).map(([name, value]) => `${name}=${value}`)
  return [place, task ?? '-', kind, ...said].join(' ')
}
