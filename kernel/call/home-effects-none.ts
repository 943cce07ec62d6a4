/** The edge runs no effects on what home alone keeps. Bundled there in place of home-effects.ts (`#home-effects` in package.json). */
import { err, ok, type Result } from '../flow/verdict.ts'

export function runHomeEffect(
  _powers: unknown,
  _task: unknown,
  { action }: { readonly action: string },
): Promise<Result<never>> {
  return Promise.resolve(err('tool_unknown', { tool: action }))
}

/** No model of the edge writes a card's text anew. */
export function rewords(..._asked: readonly unknown[]): boolean {
  return false
}

/** No plan of the edge's sets anything up. */
export function checkSetting(..._asked: readonly unknown[]): Result<true> {
  return ok(true)
}

export function wantedService(..._asked: readonly unknown[]): null {
  return null
}

export function namesFor(..._asked: readonly unknown[]): readonly string[] {
  return []
}
