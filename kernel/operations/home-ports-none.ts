/**
 * At the edge, no operation asks for a port that only home has. Bundled there in place
 * of home-ports.ts (`#home-ports` in package.json).
 */
import type { HomePorts } from './home-ports.ts'

/** Returns no ports; an operation that used one would fail. */
export function homePorts(_powers: unknown): HomePorts {
  return {} as HomePorts
}
