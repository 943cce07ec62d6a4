/**
 * `npm run bench`: what PFAR costs beside a bare floor, measured side by side in one run. Figures, never tests:
 * machines are noisy. `--json` prints one document; words after it choose parts: edge, tunnel, home, bundle,
 * parts.
 */
import { measureBundle } from './bundle.ts'
import { measureEdge } from './edge.ts'
import { type Figure, table } from './figures.ts'
import { measureHome } from './home.ts'
import { measureParts } from './parts.ts'
import { measureTunnel } from './tunnel.ts'

const PARTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  parts: measureParts,
  bundle: measureBundle,
  edge: measureEdge,
  tunnel: measureTunnel,
  home: measureHome,
}

const words = process.argv.slice(2)
const chosen = words.filter((word) => !word.startsWith('--'))
const unknown = chosen.find((word) => !Object.hasOwn(PARTS, word))
if (unknown !== undefined) {
  console.error(`bench knows ${Object.keys(PARTS).join(', ')}; not "${unknown}"`)
  process.exit(2)
}

const figures: Record<string, readonly Figure[]> = {}
for (const [name, measure] of Object.entries(PARTS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  figures[name] = await measure()
  if (!words.includes('--json')) console.log(`\n${name}\n${table(figures[name])}`)
}
if (words.includes('--json')) console.log(JSON.stringify(figures, null, 2))
process.exit(0)
