/**
 * `npm run bench`: the cost of PFAR compared with a bare floor, side by side in one run. Figures, not tests: machines are noisy.
 * Arguments choose parts (`PARTS`), and the options below apply to single parts. `--json` prints one document. Called by
 * package.json.
 */
import { parseArgs } from 'node:util'
import { measureBundle } from './bundle.ts'
import { measureEdge } from './edge.ts'
import { type Figure, table } from './figures.ts'
import { measureGrowth } from './growth.ts'
import { measureHome } from './home.ts'
import { measureMailbox } from './mailbox.ts'
import { measureMemory } from './memory.ts'
import { measureParts } from './parts.ts'
import { measurePath } from './path.ts'
import { profileHello } from './profile.ts'
import { measureRows } from './rows.ts'
import { measureSanitizer, scoreFile } from './sanitizer.ts'
import { measureHeldOut } from './sanitizer-held-out.ts'
import { measureStart } from './start.ts'
import { measureStream } from './stream.ts'
import { measureTunnel } from './tunnel.ts'

const PARTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  parts: measureParts,
  sanitizer: measureSanitizer,
  bundle: measureBundle,
  edge: measureEdge,
  tunnel: measureTunnel,
  home: measureHome,
  stream: measureStream,
  memory: measureMemory,
  start: measureStart,
  rows: measureRows,
  growth: () => measureGrowth(scale),
  mailbox: () => measureMailbox(scale),
  path: () => measurePath(values.against, rounds),
}

/**
 * `--scale 0.1`: growth and mailbox at a tenth of the sizes. `sanitizer --corpus FILE`: other texts. `sanitizer --held-out`: by
 * technique and language that training did not see. `path --against FOLDER`: another tree's edge beside this one, in `--rounds N`
 * turns. `path --profile`: the functions that its time goes to.
 */
const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    corpus: { type: 'string' },
    profile: { type: 'boolean', default: false },
    'held-out': { type: 'boolean', default: false },
    against: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    scale: { type: 'string', default: '1' },
  },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('--rounds is a whole number from 1')
  process.exit(2)
}
const scale = Number(values.scale)
if (!(scale > 0 && scale <= 10)) {
  console.error('--scale is a number above 0, 10 at most')
  process.exit(2)
}
const unknown = chosen.find((word) => !Object.hasOwn(PARTS, word))
if (unknown !== undefined) {
  console.error(`bench knows ${Object.keys(PARTS).join(', ')}; not "${unknown}"`)
  process.exit(2)
}

if (values.corpus !== undefined) {
  const { score, figures } = scoreFile(values.corpus)
  console.log(values.json ? JSON.stringify(score, null, 2) : table(figures))
  process.exit(0)
}

if (values.profile) {
  console.log(await profileHello())
  process.exit(0)
}

if (values['held-out']) {
  const { figures, texts } = measureHeldOut()
  console.log(
    values.json ? JSON.stringify({ figures, texts }, null, 2) : `${table(figures)}\n\n${texts.join('\n')}`,
  )
  process.exit(0)
}

const figures: Record<string, readonly Figure[]> = {}
for (const [name, measure] of Object.entries(PARTS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  figures[name] = await measure()
  if (!values.json) console.log(`\n${name}\n${table(figures[name])}`)
}
if (values.json) console.log(JSON.stringify(figures, null, 2))
process.exit(0)
