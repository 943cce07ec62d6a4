/** The edge carries out no operation that asks for one of these. Bundled there in place of home-ports.ts (`#home-ports` in package.json). */
import type { HomePorts } from './home-ports.ts'

/** None: whoever asked for one would fail. */
export function homePorts(_powers: unknown): HomePorts {
  return {} as HomePorts
}
