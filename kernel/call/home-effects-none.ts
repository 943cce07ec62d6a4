/**
 * The edge runs no effects on data that only home stores. Bundled there in place of
 * home-effects.ts (`#home-effects` in package.json).
 */
import { err, ok, type Result } from '../flow/verdict.ts'

export function runHomeEffect(
  _powers: unknown,
  _task: unknown,
  { action }: { readonly action: string },
): Promise<Result<never>> {
  return Promise.resolve(err('tool_unknown', { tool: action }))
}

/** At the edge no model rewrites the text of a card. */
export function rewords(..._asked: readonly unknown[]): boolean {
  return false
}

/** At the edge no plan changes the configuration. */
export function checkSetting(..._asked: readonly unknown[]): Result<true> {
  return ok(true)
}

export function wantedService(..._asked: readonly unknown[]): null {
  return null
}

export function namesFor(..._asked: readonly unknown[]): readonly string[] {
  return []
}
